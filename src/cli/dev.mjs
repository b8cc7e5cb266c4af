import "./check-node.mjs";
import { execFile } from "node:child_process";
import path from "node:path";

/* `npm run dev`: prepares the installed packages, then starts the source. */
process.stdout.write("Preparing packages…\n");
const prepare = (...words) =>
  new Promise((resolve) => {
    execFile(process.execPath, words, (error, stdout, stderr) => {
      if (!error) return resolve();
      process.stderr.write(stdout + stderr);
      process.exit(1);
    });
  });
await Promise.all([
  prepare("node_modules/patch-package/index.js", "--patch-dir", "src/db/patches", "--error-on-fail"),
  prepare("--import", "tsx", "src/cli/client-package.ts"),
]);
process.argv.splice(1, process.argv.length, path.resolve("src/cli/serve.ts"), "dev");
await import("tsx");
await import("./serve.ts");
