import "./check-node.mjs";
import { execFile } from "node:child_process";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

/* `npm run dev`: patches the installed packages and compiles the launcher, which is faster to load as one file. */
process.stdout.write("Preparing packages…\n");
const OUT = path.resolve("dist/dev");
const patch = new Promise((resolve) => {
  const words = ["node_modules/patch-package/index.js", "--patch-dir", "src/db/patches", "--error-on-fail"];
  execFile(process.execPath, words, (error, stdout, stderr) => {
    if (!error) return resolve();
    process.stderr.write(stdout + stderr);
    process.exit(1);
  });
});
await build({
  entryPoints: ["src/cli/serve.ts"],
  outdir: OUT,
  bundle: true,
  // What only the first start needs is a file of its own.
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  jsx: "automatic",
  packages: "external",
  sourcemap: "inline",
});
await patch;
const launcher = path.join(OUT, "serve.js");
process.argv.splice(1, process.argv.length, launcher, "dev");
await import(pathToFileURL(launcher).href);
