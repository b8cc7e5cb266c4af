import "./check-node.mjs";
import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

/* Runs a command of src/cli: the built file when it is fresh, else the source. */
const [name, ...words] = process.argv.slice(2);
const built = path.resolve(`dist/cli/${name}.js`);
const source = path.resolve(`src/cli/${name}.ts`);

function isFresh() {
  if (!existsSync(built)) return false;
  const builtAt = statSync(built).mtimeMs;
  return ["src", "emails"].every((folder) =>
    readdirSync(folder, { recursive: true }).every(
      (file) => !/(?<!\.test)\.tsx?$/.test(file) || statSync(path.join(folder, file)).mtimeMs <= builtAt,
    ),
  );
}

// A production install has no loader for TypeScript.
const isBuilt = !existsSync("node_modules/tsx") || isFresh();
if (!isBuilt) await import("tsx");
process.argv.splice(1, process.argv.length, isBuilt ? built : source, ...words);
await import(pathToFileURL(isBuilt ? built : source).href);
