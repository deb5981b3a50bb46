/* look.mjs PAGE: what a cell of a notebook shows, as a reader sees it: the plots within it are drawn, and the mechanism moves
 * when play is pressed; nothing is asked of a network. SHOT=FILE keeps a picture. */
import { createRequire } from "node:module";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const { chromium } = createRequire(join(process.env.MODULES, "x.js"))("playwright-core");
let failures = 0;
const expect = (what, truth) => { if (!truth) failures++, console.log("FAILED:", what); };

const context = await chromium.launchPersistentContext(mkdtempSync(join(tmpdir(), "profile")), {
  executablePath: process.env.CHROMIUM, headless: true,
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const page = await context.newPage();
page.on("pageerror", e => expect(e.message, false));
page.on("request", r => expect(`it asks for ${r.url()}`, /^(file|data|about):/.test(r.url())));
await page.goto("file://" + process.argv[2]);
const inner = await (await page.waitForSelector("iframe")).contentFrame();
await inner.waitForFunction(() => document.documentElement.dataset.ready === "yes");
// a frame may get its width after its page has been read: the page draws again then
await inner.waitForFunction(() => [...document.querySelectorAll("figure canvas, canvas.stage")].every(c => c.width > 0));
const painted = canvas => canvas.evaluate(c => c.getContext("2d").getImageData(0, 0, c.width, c.height).data.some(x => x));
for (const canvas of await inner.$$("figure canvas")) expect("a plot is blank", await painted(canvas));
const stage = await inner.$("canvas.stage");
expect("there is no mechanism", stage);
await stage.focus(), await page.keyboard.press("Home"), await page.keyboard.press("Space");
await inner.waitForFunction(() => +document.querySelector("canvas.stage").dataset.frame > 5);
if (process.env.SHOT) await page.screenshot({ path: process.env.SHOT });
await context.close();
process.exit(failures ? 1 : 0);
