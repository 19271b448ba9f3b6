// Errors in the scripts of the pages, in their tests in node, and in the npm package; layout is left to prettier.
import js from "@eslint/js";
import globals from "globals";

const STATIC = "server/http/static";
const REACHES_OUT = "The record's verifier is given what it judges: no page, no network, no store, no place.";
const OUTSIDE = ["document", "window", "location", "navigator", "fetch", "EventSource", "indexedDB", "localStorage"];

export default [
  { ignores: ["**/vendor/**", `${STATIC}/bundle/**`] },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  js.configs.recommended,
  {
    rules: {
      curly: ["error", "multi-line"],
      eqeqeq: "error",
      "no-implicit-globals": "error",
      "no-var": "error",
      "prefer-const": "error",
      "no-unused-vars": ["error", { ignoreRestSiblings: true }],
    },
  },
  { files: [`${STATIC}/**/*.js`], languageOptions: { globals: globals.browser } },
  { files: ["tests/**/*.mjs", "*.mjs"], languageOptions: { globals: globals.node } },
  { files: ["client/npm/*.js"], languageOptions: { globals: globals["shared-node-browser"] } },
  {
    files: [`${STATIC}/record/**/*.js`],
    rules: {
      "no-restricted-globals": ["error", ...OUTSIDE.map((name) => ({ name, message: REACHES_OUT }))],
    },
  },
];
