// Rename JavaScript symbols exactly, with TypeScript's language service: node js_rename.cjs CHECKOUT FILE [--dry]
const fs = require("fs"), path = require("path");
const ts = require(".venv/typescript/node_modules/typescript");
const ROOT = path.resolve(process.argv[2]), DRY = process.argv.includes("--dry");
const parsed = ts.getParsedCommandLineOfConfigFile(path.join(ROOT, "jsconfig.json"), {}, { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (d) => { throw new Error(JSON.stringify(d.messageText)); } });
const versions = new Map();
const host = {
  getScriptFileNames: () => parsed.fileNames,
  getScriptVersion: (f) => String(versions.get(f) ?? 0),
  getScriptSnapshot: (f) => (fs.existsSync(f) ? ts.ScriptSnapshot.fromString(fs.readFileSync(f, "utf8")) : undefined),
  getCurrentDirectory: () => ROOT,
  getCompilationSettings: () => parsed.options,
  getDefaultLibFileName: (o) => ts.getDefaultLibFilePath(o),
  fileExists: ts.sys.fileExists, readFile: ts.sys.readFile, readDirectory: ts.sys.readDirectory, directoryExists: ts.sys.directoryExists, getDirectories: ts.sys.getDirectories,
};
const ls = ts.createLanguageService(host);
const RE = /^js\s+(\S+?):([\w.#$]+)(?:\((=?)([\w$#]+)\))?\s+([\w$#]+)\s*(?:(#|\/\/).*)?$/;
const todo = [];
for (const line of fs.readFileSync(process.argv[3], "utf8").split("\n")) {
  if (!line.startsWith("js ")) continue;
  const m = RE.exec(line.trim());
  if (!m) { console.log("BAD LINE", line); continue; }
  todo.push({ file: m[1], qual: m[2], local: m[3] === "=", arg: m[4], next: m[5].replace(/^#/, ""), line });
}
todo.sort((a, b) => (b.arg ? 1 : 0) - (a.arg ? 1 : 0) || b.qual.split(".").length - a.qual.split(".").length);
const nameOf = (n) => n.name && (ts.isIdentifier(n.name) || ts.isPrivateIdentifier(n.name) || ts.isStringLiteral(n.name)) ? n.name.text : null;
function findIn(root, name, deep) {
  // breadth first: the outermost definition of that name
  const queue = [root];
  let first = true;
  while (queue.length) {
    const node = queue.shift();
    if (!first && nameOf(node) && nameOf(node).replace(/^#/, "") === name.replace(/^#/, "") && (ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node) || ts.isVariableDeclaration(node) || ts.isMethodDeclaration(node) || ts.isPropertyDeclaration(node) || ts.isGetAccessor(node) || ts.isSetAccessor(node) || ts.isParameter(node) || ts.isBindingElement(node) || ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node) || ts.isJSDocTypedefTag(node) || ts.isJSDocPropertyTag(node) || ts.isPropertySignature(node) || ts.isJSDocCallbackTag(node) || ts.isFunctionExpression(node) || ts.isClassExpression(node))) return node;
    if (!first && ts.isBinaryExpression(node) && ts.isPropertyAccessExpression(node.left) && node.left.expression.kind === ts.SyntaxKind.ThisKeyword && node.left.name.text.replace(/^#/, "") === name.replace(/^#/, "")) return node.left;
    first = false;
    for (const doc of node.jsDoc ?? []) for (const tag of doc.tags ?? []) { queue.push(tag); if (tag.typeExpression) queue.push(tag.typeExpression); }
    ts.forEachChild(node, (c) => void queue.push(c));
    if (node.typeExpression?.jsDocPropertyTags) queue.push(...node.typeExpression.jsDocPropertyTags);
  }
  return null;
}
let bad = 0, done = [];
for (const job of todo) {
  const full = path.join(ROOT, job.file);
  const sf = ls.getProgram().getSourceFile(full);
  if (!sf) { console.log("NO FILE", job.line); bad++; continue; }
  let node = sf;
  for (const part of job.qual.split(".")) node = node && findIn(node, part);
  if (node && job.arg) node = findIn(node, job.arg);
  if (!node) { console.log("NOT FOUND", job.line); bad++; continue; }
  if (DRY) continue;
  const pos = (node.name ?? node).getStart(sf);
  const info = ls.getRenameInfo(full, pos, {});
  if (!info.canRename) { console.log("CANNOT", job.line, info.localizedErrorMessage); continue; }
  const shift = ts.isPrivateIdentifier(node.name ?? node) ? 1 : 0;
  const found = ls.findRenameLocations(full, pos, false, false, { providePrefixAndSuffixTextForRename: true }) ?? [];
  const per = new Map();
  for (const at of found) { if (!at.fileName.startsWith(ROOT) || at.fileName.includes("node_modules")) { console.log("OUTSIDE", job.line, at.fileName); per.clear(); break; } per.set(at.fileName, [...(per.get(at.fileName) ?? []), at]); }
  for (const [file, ats] of per) {
    let text = fs.readFileSync(file, "utf8");
    const seen = new Set();
    for (const at of ats.sort((a, b) => b.textSpan.start - a.textSpan.start)) {
      if (seen.has(at.textSpan.start)) continue;
      seen.add(at.textSpan.start);
      let { start, length } = at.textSpan;
      const old = text.slice(start, start + length);
      const next = old.startsWith("#") ? "#" + job.next : job.next;
      text = text.slice(0, start) + (at.prefixText ?? "") + next + (at.suffixText ?? "") + text.slice(start + length);
    }
    fs.writeFileSync(file, text);
    versions.set(file, (versions.get(file) ?? 0) + 1);
  }
  console.log(String(found.length).padStart(4), "in", String(per.size).padStart(3), job.line);
  done.push({ old: job.arg ?? job.qual.split(".").at(-1), qual: job.qual, path: job.file, new: job.next, files: [...per.keys()].map((f) => path.relative(ROOT, f)) });
}
if (DRY) console.log(todo.length, "targets,", bad, "not found");
else fs.writeFileSync(process.argv[3] + ".js.done.json", JSON.stringify(done));
