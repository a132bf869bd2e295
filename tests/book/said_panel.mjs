// Opens panels on a page from the disk; reports what they say. Arguments: address, folder for pictures.
import { launch } from "../browser.mjs";

const [address, pictures] = process.argv.slice(2);
const browser = await launch();
const report = { errors: [] };
for (const [name, options] of Object.entries({
  light: {}, dark: { colorScheme: "dark" }, phone: { viewport: { width: 360, height: 740 } } })) {
  const page = await (await browser.newContext(options)).newPage();
  page.setDefaultTimeout(120000);
  page.on("pageerror", (error) => report.errors.push(String(error)));
  page.on("console", (line) => { if (line.type() === "error") report.errors.push(line.text()); });
  await page.goto(address);
  const statement = page.locator('.claim-statement[data-statement="res-euler-primes"]');
  const math = statement.locator(".said-math").first();
  const said = () => statement.locator("output").first().textContent();
  if (name === "light") {
    await math.focus();
    await page.keyboard.press("Enter");
  } else await math.click();
  const field = statement.locator("input").first();
  await field.waitFor();
  const found = { begins: await said(), focused: await field.evaluate((node) => node === document.activeElement) };
  for (const [key, typed] of [["empty", ""], ["inside", "39"], ["outside", "40"], ["wrong", "many"], ["fraction", "1/2"]]) {
    await field.fill(typed);
    found[key] = await said();
  }
  found.changes = await statement.locator("details li").allTextContents();
  found.wide = await statement.locator(".said-panel").evaluate((box) => box.scrollWidth > box.clientWidth + 1);
  if (pictures) await page.screenshot({ path: `${pictures}/${name}.png` });
  await field.focus();
  await page.keyboard.press("Escape");
  found.closed = await statement.locator(".said-panel").count() === 0
    && await math.evaluate((node) => node === document.activeElement);
  report[name] = found;
}
await browser.close();
console.log(JSON.stringify(report));
