/* browser.mjs - looks at pages of `dalembert report` as a reader does: browser.mjs FOLDER. SHOTS=FOLDER keeps pictures. */
import { createRequire } from "node:module";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";

const { chromium } = createRequire(join(process.env.MODULES, "x.js"))("playwright-core");
const folder = process.argv[2];
let failures = 0;

function expect(what, truth) {
  if (truth) return;
  failures++;
  console.log("FAILED:", what);
}

const context = await chromium.launchPersistentContext(mkdtempSync(join(folder, "profile")), {
  executablePath: process.env.CHROMIUM, headless: true,
  args: ["--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

const noWebGL = () => { // as on a computer without it
  const own = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, ...more) { return /webgl/.test(kind) ? null : own.call(this, kind, ...more); };
};

async function open(file, width, scheme, before) {
  const page = await context.newPage();
  if (before) await page.addInitScript(before);
  await page.setViewportSize({ width, height: 800 });
  await page.emulateMedia({ colorScheme: scheme });
  page.on("pageerror", e => expect(`${file}: ${e.message}`, false));
  page.on("console", m => expect(`${file}: ${m.text()}`, m.type() !== "error"));
  page.on("request", r => expect(`${file} asks for ${r.url()}`, /^(file|data):/.test(r.url())));
  await page.goto("file://" + join(folder, file));
  await page.waitForFunction(() => document.documentElement.dataset.ready === "yes");
  return { page, close: () => page.close() };
}

const keep = async (page, name) => process.env.SHOTS && page.screenshot({ path: join(process.env.SHOTS, name), fullPage: true });
const scale = (figure, axis = "x") => figure.evaluate((f, a) => ({ min: f.plot.scales[a].min, max: f.plot.scales[a].max }), axis);
const width = s => s.max - s.min;
const painted = canvas => canvas.evaluate(c => {
  const d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
  let sum = 0;
  for (let i = 3; i < d.length; i += 4) sum += d[i] ? (i % 9973) + d[i - 1] : 0;
  return sum;
});

/* A page draws when it can: what is seen is looked at until it is something else. */
async function becomesOther(seen, before) {
  const end = Date.now() + 10000;
  let now = await seen();
  while (now === before && Date.now() < end) await new Promise(done => setTimeout(done, 50)), now = await seen();
  return now;
}

async function moving() {
  const { page, close } = await open("moving.html", 1100, "light");
  const figures = await page.$$("figure"), [motion, time, drift, portrait] = figures;
  expect("there are four figures", figures.length === 4);
  expect("equations are set", (await page.$$eval(".equations tr:not(.more):not(.where)", rows => rows.length)) === 10); // L, two momenta and their rates, five lets

  // the plots have the data of the page
  const data = await page.$eval("script.result", s => { const d = JSON.parse(s.textContent); return { rows: d.changes[0].length, last: d.first[d.outputs[0]] + d.changes[d.outputs[0]].at(-1), frames: d.frames.length, times: d.frame_times }; });
  const drawn = await time.evaluate(f => ({ rows: f.plot.data[0].length, last: f.plot.data[1].at(-1), series: f.plot.data.length }));
  expect("the plot has all rows", drawn.rows === data.rows && data.rows === 1001);
  expect("the plot has their values", drawn.last === data.last);
  expect("it opens on the two outputs", drawn.series === 3 && (await time.evaluate(f => f.plot.series[1].label)) === "tip_x");
  expect("something is drawn", (await painted(await time.$("canvas"))) > 0);
  expect("a drift begins at 0", (await drift.evaluate(f => f.plot.data[1][0])) === 0);

  // variables are chosen
  await (await time.$$(".chips input"))[2].click();
  expect("a chosen variable is added", (await time.evaluate(f => f.plot.data.length)) === 4);
  const sides = await time.evaluate(f => [f.plot.series[1].scale !== f.plot.series[3].scale || f.plot.series[2].scale !== f.plot.series[1].scale, f.plot.axes.length]);
  expect("another unit has an axis of its own", sides[0] && sides[1] === 3);

  // zoom by dragging, by buttons, by keys
  const whole = await scale(time), over = await (await time.$(".u-over")).boundingBox();
  await page.mouse.move(over.x + 0.25 * over.width, over.y + 20);
  await page.mouse.down(), await page.mouse.move(over.x + 0.5 * over.width, over.y + 60, { steps: 4 }), await page.mouse.up();
  const dragged = await scale(time);
  expect("dragging zooms", Math.abs(width(dragged) / width(whole) - 0.25) < 0.02 && Math.abs(dragged.min - 5) < 0.3);
  await page.mouse.move(over.x + 0.5 * over.width, over.y + 60);
  expect("the cursor tells values", /t = .*tip_x = /.test(await time.$eval(".values", v => v.textContent)));
  await page.keyboard.down("Shift"), await page.mouse.down(), await page.mouse.move(over.x + 0.75 * over.width, over.y + 60, { steps: 4 });
  await page.mouse.up(), await page.keyboard.up("Shift");
  const panned = await scale(time);
  expect("Shift and dragging move", panned.min < dragged.min - 0.5 && Math.abs(width(panned) - width(dragged)) < 1e-6);
  await (await time.$('button[aria-label="show all"]')).click();
  expect("all is shown again", width(await scale(time)) === width(whole));
  await (await time.$(".plot")).focus();
  await page.keyboard.press("+");
  expect("+ zooms", Math.abs(width(await scale(time)) / width(whole) - 0.5) < 1e-9);
  await page.keyboard.press("ArrowRight");
  expect("the arrow moves", (await scale(time)).min > whole.min + 0.2 * width(whole));
  await page.keyboard.press("0");
  expect("0 shows all", width(await scale(time)) === width(whole));

  // portraits
  expect("a portrait is drawn", (await painted(await portrait.$("canvas"))) > 0);
  const before = await painted(await portrait.$("canvas"));
  await (await portrait.$("select")).selectOption("2");
  expect("another column gives another portrait", (await painted(await portrait.$("canvas"))) !== before);

  await (await portrait.$(".plot")).focus();
  const low = await scale(portrait, "y");
  await page.keyboard.press("ArrowUp");
  expect("the arrow moves a portrait up", (await scale(portrait, "y")).min > low.min + 0.1 * width(low));

  // colours follow the reader's system
  const light = await painted(await time.$("canvas"));
  await page.emulateMedia({ colorScheme: "dark" });
  const asNow = async () => painted(await time.$("canvas")); // drawn again, it is another element
  expect("plots turn dark", (await becomesOther(asNow, light)) !== light);
  await page.emulateMedia({ colorScheme: "light" });

  // the mechanism: keys, the slider, and time
  const stage = await motion.$("canvas.stage"), still = await painted(stage);
  expect("the mechanism is drawn", still > 0);
  const [begins, first] = await portrait.evaluate(f => [f.plot.posToVal(parseFloat(f.querySelector(".dot").style.top), "y"), f.plot.data[1][1][0]]);
  expect(`the portrait marks the start (${begins}, ${first})`, Math.abs(begins - first) < 0.02);
  await stage.focus();
  for (let i = 0; i < 40; i++) await page.keyboard.press("ArrowRight");
  expect("arrows step it", (await stage.evaluate(c => c.dataset.frame)) === "40" && (await painted(stage)) !== still);
  const marked = await time.evaluate(f => { const m = f.querySelector(".now"); return f.plot.posToVal(parseFloat(m.style.left), "x"); });
  expect(`the plots mark its time (${marked})`, Math.abs(marked - data.times[40]) < 0.02);
  const [dot, there] = await portrait.evaluate((f, t) => {
    const d = JSON.parse(document.querySelector("script.result").textContent), i = d.changes[0].findIndex(x => x + d.first[0] >= t), m = f.querySelector(".dot");
    return [f.plot.posToVal(parseFloat(m.style.left), "x"), f.plot.data[1][0][i]];
  }, data.times[40]);
  expect(`the portrait marks its state (${dot}, ${there})`, Math.abs(dot - there) < 0.02);
  await page.keyboard.press("End");
  expect("End is the last frame", (await stage.evaluate(c => +c.dataset.frame)) === data.frames - 1);
  await page.keyboard.press("Home"), await page.keyboard.press("Space");
  await page.waitForFunction(() => +document.querySelector("canvas.stage").dataset.frame > 5);
  await page.keyboard.press("Space");
  const stopped = await stage.evaluate(c => c.dataset.frame);
  await page.waitForTimeout(150);
  expect("it stops", (await stage.evaluate(c => c.dataset.frame)) === stopped);
  await (await motion.$('input[type="range"]')).focus();
  await page.keyboard.press("Space");
  expect("space plays it from the slider too", /Stop/.test(await motion.$eval("button", b => b.textContent)));
  await keep(page, "moving.png");
  await close();
}

async function everywhere() {
  for (const [file, size, scheme] of [["moving.html", 390, "dark"], ["long.html", 390, "light"], ["two.html", 1100, "dark"], ["orbit.html", 700, "light"], ["space.html", 390, "dark"], ["spaces.html", 390, "light"], ["far.html", 700, "dark"]]) {
    const { page, close } = await open(file, size, scheme);
    const [inner, all] = await page.evaluate(() => [innerWidth, document.documentElement.scrollWidth]);
    expect(`${file} fits ${size} pixels (${all})`, all <= inner);
    const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(`${file} is ${scheme} (${paper})`, (scheme === "dark") === /rgb\((\d|[1-4]\d),/.test(paper));
    const bare = await page.$$eval("button, input, select, canvas.stage, .plot", all =>
      all.filter(e => !(e.getAttribute("aria-label") || e.closest("label"))).length);
    expect(`${file}: everything to touch has a name`, bare === 0);
    const blank = (await Promise.all((await page.$$("figure canvas")).map(painted))).filter(sum => sum === 0).length;
    expect(`${file}: nothing is blank`, blank === 0);
    const ranged = await page.$$eval("figure", all => all.filter(f => f.plot).every(f => isFinite(f.plot.scales.x.min) && isFinite(f.plot.scales.y.max)));
    expect(`${file}: every axis has a range`, ranged);
    const shown = await page.$$eval("figure", all => all.filter(f => f.plot).every(f => f.plot.data[f.plot.data[0] ? 0 : 1].length > 0));
    expect(`${file}: every plot has data`, shown);
    await keep(page, `${file}-${size}-${scheme}.png`);
    await close();
  }
}

/* An orbit is as round as it is, and a drift far below the value is a curve, not a line. */
async function orbit() {
  const { page, close } = await open("orbit.html", 900, "light");
  const [, , drift, portrait] = await page.$$("figure");
  await page.waitForTimeout(100);
  const x = await scale(portrait), y = await scale(portrait, "y");
  const [w, h] = await portrait.$eval(".u-over", o => [o.clientWidth, o.clientHeight]);
  expect("one unit is as long on both axes", Math.abs((width(x) / w) / (width(y) / h) - 1) < 0.02);
  const changes = await drift.evaluate(f => new Set(f.plot.data[1]).size);
  expect(`a drift of 1e-10 is told (${changes} values)`, changes > 100);
  await close();
}

/* Two runs of one model with different steps are one plot, each at its own times. */
async function together() {
  const { page, close } = await open("steps.html", 1100, "light");
  const f = await page.$("#together figure");
  const seen = await f.evaluate(f => ({ x: f.plot.data[0], a: f.plot.data[1].filter(v => v != null).length, b: f.plot.data[2].filter(v => v != null).length }));
  expect(`all times of both runs (${seen.x.length}, ${seen.a}, ${seen.b})`, seen.a === 21 && seen.b === 31 && seen.x.length === 41);
  expect("times grow", seen.x.every((t, i) => !i || t > seen.x[i - 1]));
  expect("something is drawn", (await painted(await f.$("canvas"))) > 0);
  await (await f.$("select")).selectOption("1");
  expect("another column is another plot", /p\(/.test(await f.$eval(".plot", b => b.getAttribute("aria-label"))));
  await close();
}

/* Bodies in space, by three.js if it is there, and by our own painter: they turn, come nearer, and move. */
async function space(file, painter, before) {
  const { page, close } = await open(file, 1100, "light", before), stage = await page.$("canvas.stage");
  const seen = () => painted(stage), frame = () => stage.evaluate(c => +c.dataset.frame);
  const settle = () => page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
  const by = await stage.evaluate(c => c.dataset.painter), note = await page.$eval("figure .note", n => n.textContent);
  expect(`${file} is painted by ${painter} (${by})`, !painter || by === painter);
  expect(`${file} says that WebGL is missing`, /no WebGL/.test(note) === (!!before && painter === "faces"));
  await stage.scrollIntoViewIfNeeded();
  const first = await seen(), box = await stage.boundingBox(), x = box.x + box.width / 2, y = box.y + box.height / 2;
  expect(`${file}: something is drawn`, first > 0);
  let last = first;
  const changes = async what => { await settle(); const now = await becomesOther(seen, last); expect(`${file}: ${what}`, now !== last), last = now; };
  await page.mouse.move(x, y), await page.mouse.down(), await page.mouse.move(x + 80, y + 30, { steps: 4 }), await page.mouse.up();
  await changes("dragging turns it");
  await page.mouse.wheel(0, -200);
  await changes("the wheel zooms after a click");
  await stage.focus();
  for (const key of ["ArrowLeft", "ArrowUp", "+", "-"]) await page.keyboard.press(key), await changes(`${key} changes the view`);
  await (await page.$('button[aria-label="look from further down"]')).click();
  await changes("so does a button");
  await stage.focus(), await page.keyboard.press("0");
  await settle();
  expect(`${file}: 0 shows the first view`, (last = await seen()) === first);
  await stage.evaluate(c => {
    const touch = (kind, id, x) => c.dispatchEvent(new PointerEvent(kind, { pointerId: id, pointerType: "touch", clientX: x, clientY: 200, bubbles: true }));
    c.setPointerCapture = () => { };
    touch("pointerdown", 5, 300), touch("pointerdown", 6, 400), touch("pointermove", 6, 500), touch("pointerup", 5, 300), touch("pointerup", 6, 500);
  });
  await changes("two fingers zoom");
  await page.keyboard.press("."), await page.keyboard.press(".");
  await changes("full stops step");
  expect(`${file}: by two frames`, (await frame()) === 2);
  await page.keyboard.press("End"), await changes("End is another picture");
  const data = await page.$eval("script.result", s => { const d = JSON.parse(s.textContent); return { frames: d.frames.length, gap: d.frames.some(f => f.includes(null)) }; });
  expect(`${file}: End is the last frame`, (await frame()) === data.frames - 1);
  expect(`${file}: a figure is nowhere at times`, data.gap);
  await page.keyboard.press("Home"), await page.keyboard.press("Space");
  await page.waitForFunction(() => +document.querySelector("canvas.stage").dataset.frame > 5);
  await page.keyboard.press("Space"), await page.keyboard.press("End"), await settle();
  last = await seen();
  await (await page.$('figure input[type="checkbox"]')).click();
  await changes("trails can be left out");
  await page.emulateMedia({ colorScheme: "dark" });
  await changes("it turns dark");
  expect(`${file}: words are words`, (await page.$$("img")).length === 0);
  await keep(page, `${file}-${by}.png`);
  await close();
}

/* Without uPlot the plots are pictures, and the mechanism moves all the same. */
async function still() {
  const { page, close } = await open("still.html", 900, "light");
  expect("each result has its picture", (await page.$$("figure > svg")).length === 2);
  expect("the mechanism is there", (await painted(await page.$("canvas"))) > 0);
  await keep(page, "still.png");
  await close();
}

await moving();
await still();
await orbit();
await together();
await space("space.html");
await space("space.html", "faces", noWebGL);
await space("bare.html", "faces");
await everywhere();
await context.close();
process.exit(failures ? 1 : 0);
