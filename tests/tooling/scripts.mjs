// Prints the strings and comments of the scripts that it is given, as JSON: [path, line, kind, text].
import { readFileSync } from "node:fs";
import { parse } from "espree";

const found = [];

const shown = (quasi, expressions) =>
  quasi.map((part, at) => part.value.cooked + (at < expressions.length ? "{...}" : "")).join("");

function walk(path, node) {
  if (Array.isArray(node)) {
    node.forEach((inner) => walk(path, inner));
    return;
  }
  if (!node || typeof node.type !== "string") return;
  if (node.type === "ImportDeclaration") return;
  if (node.type === "Literal" && typeof node.value === "string") {
    found.push([path, node.loc.start.line, "script", node.value]);
  }
  if (node.type === "TemplateLiteral") {
    found.push([path, node.loc.start.line, "script", shown(node.quasis, node.expressions)]);
  }
  Object.values(node).forEach((inner) => inner && typeof inner === "object" && walk(path, inner));
}

/** Comments on lines below each other are one text, as in Python. */
function comments(path, all) {
  const blocks = [];
  for (const one of all) {
    const last = blocks.at(-1);
    const text = one.value.replace(/^\*+|^\s*\* ?/gm, "").trim();
    if (last && one.type === "Line" && last.type === "Line" && one.loc.start.line === last.end + 1) {
      last.text += `\n${text}`;
      last.end += 1;
    } else blocks.push({ type: one.type, start: one.loc.start.line, end: one.loc.end.line, text });
  }
  found.push(...blocks.map((block) => [path, block.start, "comment", block.text]));
}

for (const path of process.argv.slice(2)) {
  const tree = parse(readFileSync(path, "utf8"), {
    ecmaVersion: "latest",
    sourceType: "module",
    comment: true,
    loc: true,
  });
  comments(path, tree.comments);
  walk(path, tree.body);
}
process.stdout.write(JSON.stringify(found));
