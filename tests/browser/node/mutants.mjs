// Judges the mutants in a file, a JSON array of base64. Prints for each the code with which a page refuses it, or null.
import { readFileSync } from "node:fs";

import { judgedBundle } from "./bundle.mjs";

const EXPECTED = ["VerificationError", "Newer", "AssertionError"];

const codes = [];
for (const data of JSON.parse(readFileSync(process.argv[2], "utf-8"))) {
  codes.push(
    await judgedBundle(Buffer.from(data, "base64")).then(
      () => null,
      (error) => (EXPECTED.includes(error.name) ? (error.code ?? error.name) : Promise.reject(error)),
    ),
  );
}
console.log(JSON.stringify(codes));
