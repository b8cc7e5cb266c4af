import { existsSync, readdirSync, rmSync } from "node:fs";
import { bundle, listEntries } from "./bundle";

/** Where the built commands and API handlers lie. */
const OUT = "dist";

rmSync(OUT, { recursive: true, force: true });
await bundle(listEntries(), OUT, "src");

// Turbopack writes an empty source map beside each web worker.
const PAGES = ".next/static";
const built = existsSync(PAGES) ? readdirSync(PAGES, { recursive: true, encoding: "utf8" }) : [];
for (const file of built.filter((name) => name.endsWith(".map"))) rmSync(`${PAGES}/${file}`);
