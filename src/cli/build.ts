import { execFileSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { provideEnv } from "@/core/env";
import { bundle } from "./bundle";
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
const NOT_COMMANDS = ["build.ts", "bundle.ts", "client-package.ts", "image.ts"];
const commands = readdirSync("src/cli").filter((name) => /^[a-z-]+\.ts$/.test(name) && !NOT_COMMANDS.includes(name));
const routes = ["src/app/api", "src/app/mcp"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
);
await bundle(
  [...commands.map((name) => `src/cli/${name}`), ...routes.filter((name) => name.endsWith("route.ts"))],
  OUT,
  "src",
);

// Turbopack writes an empty source map beside each web worker.
const PAGES = ".next/static";
const built = readdirSync(PAGES, { recursive: true, encoding: "utf8" });
for (const file of built.filter((name) => name.endsWith(".map"))) rmSync(`${PAGES}/${file}`);
