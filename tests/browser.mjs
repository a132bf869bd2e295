// One way to start the browser, for all scripts of the tests.
import { createRequire } from "node:module";

export function launch() {
  const { chromium } = createRequire(process.env.NODE_MODULES)("playwright-core");
  return chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
}
