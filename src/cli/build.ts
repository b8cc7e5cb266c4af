import { execFileSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { provideEnv } from "@/core/env";
import { bundle, listEntries } from "./bundle";
import { packClient } from "./client-package";

/* `npm run build`: the pages, by Next, and then the server, the operator's commands and the route files. */
provideEnv({ NEXT_TELEMETRY_DISABLED: "1" });
const run = (...words: string[]) => execFileSync(process.execPath, words, { stdio: "inherit" });
run("node_modules/patch-package/index.js", "--patch-dir", "src/db/patches", "--error-on-fail");
packClient();
run("node_modules/next/dist/bin/next", "build");

/** Where the built commands and API handlers lie. */
const OUT = "dist";
rmSync(OUT, { recursive: true, force: true });
await bundle(listEntries(), OUT, "src");

// Turbopack writes an empty source map beside each web worker.
const PAGES = ".next/static";
const built = readdirSync(PAGES, { recursive: true, encoding: "utf8" });
for (const file of built.filter((name) => name.endsWith(".map"))) rmSync(`${PAGES}/${file}`);
