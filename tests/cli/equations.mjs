/* equations.mjs - measures the equations of pages of `dalembert report`, as a browser sets them: equations.mjs FOLDER.
 * At 1280 pixels every equation fits its box; at 400 no page is wider than the screen. SHOTS=FOLDER keeps pictures. */
import { createRequire } from "node:module";
import { mkdtempSync, readdirSync } from "node:fs";
import { join } from "node:path";

const { chromium } = createRequire(join(process.env.MODULES, "x.js"))("playwright-core");
const folder = process.argv[2];
const context = await chromium.launchPersistentContext(mkdtempSync(join(folder, "profile")), {
  executablePath: process.env.CHROMIUM, headless: true, args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
});
const page = await context.newPage();
let failures = 0, measured = 0;

for (const file of readdirSync(folder).filter(f => f.endsWith(".html"))) {
  for (const width of [1280, 400]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto("file://" + join(folder, file));
    const seen = await page.evaluate(() => ({
      boxes: [...document.querySelectorAll(".wide")].map(b => ({ needs: b.scrollWidth, has: b.clientWidth })),
      rows: document.querySelectorAll("table.equations tr").length,
      all: document.documentElement.scrollWidth, inner: innerWidth,
    }));
    const wide = seen.boxes.filter(b => b.needs > b.has);
    if (width === 1280 && process.env.SHOTS) await page.locator("section[id^=model]").screenshot({ path: join(process.env.SHOTS, file + ".png") });
    measured += seen.rows;
    if (width === 1280 && wide.length) failures++, console.log(`${file}: equations of ${wide[0].needs} pixels in a box of ${wide[0].has}`);
    if (seen.all > seen.inner) failures++, console.log(`${file}: ${seen.all} pixels wide on a screen of ${seen.inner}`);
  }
}
if (measured < 100) failures++, console.log(`there are only ${measured} equations`);
await context.close();
process.exit(failures ? 1 : 0);
