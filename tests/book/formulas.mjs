// Call the formulas of the pieces that move. stdin: [folder, [[piece, formula, arguments], ...]]; stdout: the results.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import vm from "node:vm";

const [folder, calls] = JSON.parse(readFileSync(0, "utf-8"));
for (const file of ["common.js", ...readdirSync(folder).filter((name) => name.endsWith(".js") && name !== "common.js")]) {
  vm.runInThisContext(readFileSync(join(folder, file), "utf-8"), { filename: file });
}
process.stdout.write(JSON.stringify(calls.map(([piece, formula, given]) => globalThis.Moves.pieces[piece].formulas[formula](...given))));
