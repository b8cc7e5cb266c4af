import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

interface SourceFile {
  path: string;
  text: string;
}

const DOOR = [
  "app cli instrumentation proxy server features platform jobs db core ui emails",
  "one of the layers",
] as const;

/** The layers of the source: what each may import, and where other code belongs. */
const LAYERS = new Map<string, readonly [imports: string, instead: string]>([
  ["app", DOOR],
  ["cli", DOOR],
  ["instrumentation", DOOR],
  ["proxy", DOOR],
  ["server", ["server features platform jobs db core emails", "app/ because server/ does not know its doors"]],
  ["features", ["features platform jobs db core emails", "server/ because features are what it assembles"]],
  ["platform", ["platform db core", "features/…/service.ts because an adapter knows nothing of the product"]],
  ["jobs", ["jobs db core", "features/…/jobs.ts because the engine knows nothing of the product"]],
  ["db", ["db core", "features/…/service.ts because the database knows nothing of the product"]],
  ["core", ["core", "features/…/service.ts because core/ knows nothing of the product"]],
  ["client", ["client", "server/ because a client knows of the service only what its document says"]],
  ["ui", ["ui", "app/ because ui/ gets everything from its props"]],
  ["emails", ["emails core", "features/…/service.ts because a template gets everything from its props"]],
]);

/** The kinds of files in a feature, with an optional topic in front: `sessions.service.ts`. */
const FEATURE_FILES = new Map([
  ["schema", "the zod contract"],
  ["rules", "pure rules, no I/O"],
  ["service", "use cases and their queries"],
  ["endpoints", "contracts and handlers of the API, a leaf"],
  ["router", "tRPC, a leaf"],
  ["jobs", "Inngest, a leaf"],
]);
/** Files beside the feature folders, which several features share. */
const SHARED_BY_FEATURES = ["context", "endpoint", "events", "procedures"];
/** The topic folders of core and the files beside them. */
const CORE_PLACE = /^src\/core\/((http|log|mail)\/|(a|env|errors|fields|format|parallel|time|variables)\.tsx?$)/;
/** The doors of the server and the files that assemble them. */
const SERVER_PLACE =
  /^src\/server\/((api|console|docs|mcp|ops)\/|(a|context|inngest|jobs|protection|services|start)\.ts$)/;

/** Names allowed at the top, besides dotfiles and ignored files. */
const TOP_LEVEL =
  `src drizzle emails e2e bench docs public README.md CONTRIBUTING.md CHANGELOG.md LICENSE SECURITY.md Dockerfile compose.yml vercel.json
  package.json package-lock.json tsconfig.json biome.json
  next.config.mjs drizzle.config.ts playwright.config.ts vitest.config.ts`.split(/\s+/);

interface Restriction {
  found: RegExp;
  isAllowedIn(file: string): boolean;
  instead: string;
}

const PACKAGES: Restriction[] = [
  {
    found: /^drizzle-orm(\/|$)/,
    isAllowedIn: (file) =>
      /^src\/(db\/|cli\/doctor\/|features\/[^/]+\/(destinations\/)?([a-z-]+\.)?service\.ts$)/.test(file),
    instead: "features/…/service.ts because a use case has its own queries",
  },
  {
    found: /^next(\/|$)/,
    isAllowedIn: (file) => !/^src\/app\/api\/(.*\/)?route\.ts$/.test(file),
    instead: "a page because route files use the standard Request and Response only",
  },
  {
    found: /^react(-dom)?(\/|$)/,
    isAllowedIn: (file) => !/^src\/(features|core|platform|server)\//.test(file),
    instead: "app/, ui/ or emails/ because the product works without React",
  },
];

const WORDS: Restriction[] = [
  {
    found: /\bprocess\s*\??\s*[.[]\s*["']?env\b|= process\s*[;,)]|from "(node:)?process"/,
    // The second file prints sample code that reads a key from the environment.
    isAllowedIn: (file) => ["src/core/env.ts", "src/server/docs/snippets.ts"].includes(file),
    instead: "core/env.ts because the environment is read and checked once",
  },
  {
    found: /\bnew Date\b(?!\([^)])|\bDate\.now\b/,
    isAllowedIn: (file) => file === "src/core/time.ts",
    instead: "core/time.ts because time comes from the injected clock",
  },
  {
    found: /\bnew Date\([^)]/,
    isAllowedIn: (file) => file === "src/core/time.ts",
    instead: "core/time.ts because instants are made in one place",
  },
  {
    found:
      /(?<![.\w])(now|(clock|statement|transaction)_timestamp|timeofday) ?\( ?\)|\b(current_(timestamp|date|time)|localtime(stamp)?|defaultNow)\b/i,
    isAllowedIn: (file) => file === "src/core/time.ts",
    instead: "features/…/service.ts as a value of ctx.clock because time comes from the injected clock",
  },
];

/** Every violation of the import rules, with the file and the place where the code belongs. */
function findViolations(files: readonly SourceFile[]): string[] {
  const product = files.filter((file) => !isTest(file.path));
  return [
    ...product.flatMap((file) => findPlacementViolations(file.path)),
    ...product.flatMap(findImportViolations),
    ...product.flatMap((file) => findRestrictionViolations(file.path, "says", readSearchedText(file), WORDS)),
    ...findCycles(product),
  ];
}

function findImportViolations(file: SourceFile): string[] {
  const [imports, instead] = LAYERS.get(getLayer(file.path)) ?? DOOR;
  return listImports(file).flatMap((target) => {
    // The guides print its version.
    if (target === "src/client/package.json") return [];
    if (!/^(src|emails)\//.test(target)) return findRestrictionViolations(file.path, "imports", target, PACKAGES);
    const says = (place: string) => [`${file.path} imports ${target}; this belongs in ${place}`];
    if (isTest(`${target}.ts`)) return says("core/ or a feature because the product does not run on test code");
    if (!imports.split(" ").includes(getLayer(target))) return says(instead);
    if (/^src\/features\/[^/]+\/([a-z-]+\.)?(endpoints|router|jobs)$/.test(target) && getLayer(file.path) !== "server")
      return says("features/…/service.ts because only server/ imports endpoints, routers and jobs");
    return [];
  });
}

function findRestrictionViolations(file: string, does: string, text: string, list: Restriction[]): string[] {
  return list.flatMap(({ found, isAllowedIn, instead }) => {
    const [word] = (!isAllowedIn(file) && found.exec(text)) || [];
    return word ? [`${file} ${does} ${word}; this belongs in ${instead}`] : [];
  });
}

function findPlacementViolations(file: string): string[] {
  const layer = getLayer(file);
  const says = (place: string) => [`${file} is out of place; this belongs in ${place}`];
  if (layer === "drizzle") return [];
  if (!LAYERS.has(layer)) return says([...LAYERS.keys()].join(", "));
  const [, name = ""] = /^src\/features\/[^/]+\/(?:destinations\/)?(?:[a-z-]+\.)?([^/.]+)\.ts$/.exec(file) ?? [];
  if (layer === "core" && !CORE_PLACE.test(file)) return says("a topic folder of core/");
  if (layer === "server" && !SERVER_PLACE.test(file))
    return says("the folder of its door: api, console, docs, mcp or ops");
  const isShared = SHARED_BY_FEATURES.some((shared) => file === `src/features/${shared}.ts`);
  if (layer === "features" && !isShared && !FEATURE_FILES.has(name))
    return says([...FEATURE_FILES].map(([known, purpose]) => `${known}.ts (${purpose})`).join(", "));
  const hasReact = file.endsWith(".tsx") && !["app", "ui", "emails"].includes(layer);
  return hasReact ? says("app/, ui/ or emails/ because the product works without React") : [];
}

/** Folders that import one another, also indirectly. A folder and the folders inside it count as one. */
function findCycles(files: readonly SourceFile[]): string[] {
  const needs = new Map<string, Set<string>>();
  for (const file of files) {
    // Leaves that only server/ imports.
    if (/[./](endpoints|router|jobs)\.ts$/.test(file.path)) continue;
    const from = path.posix.dirname(file.path);
    const others = listImports(file)
      .filter((target) => /^(src|emails)\//.test(target))
      .map(path.posix.dirname);
    for (const to of others)
      if (!isInside(from, to) && !isInside(to, from)) needs.set(from, (needs.get(from) ?? new Set()).add(to));
  }
  const canReach = (from: string, to: string, seen = new Set<string>()): boolean =>
    [...(needs.get(from) ?? [])].some((next) => next === to || (!seen.has(next) && canReach(next, to, seen.add(next))));
  const cycle = [...needs.keys()].filter((folder) => canReach(folder, folder));
  const way = cycle.join(", ");
  return cycle.map((name) => `${name} imports in a cycle (${way}); this belongs in one rules.ts`);
}

const isInside = (folder: string, other: string) => `${folder}/`.startsWith(`${other}/`);

/** Imports of a file: paths from the root without extension, and package names. */
function listImports({ path: file, text }: SourceFile): string[] {
  const form =
    /^\s*(?:import|export)\b(?:[^"'`;]*?\bfrom)?\s*["']([^"']+)["']|\b(?:import|require)\(\s*["'`]([^"'`]+)["'`]/gm;
  return [...withoutComments(text).matchAll(form)].map(([, still, dynamic]) => {
    const name = still ?? dynamic ?? "";
    if (name.startsWith(".")) return path.posix.join(path.posix.dirname(file), name);
    return name.replace(/^@\//, "src/").replace(/^@emails\//, "emails/");
  });
}

const isTest = (file: string) => /\.test\.tsx?$/.test(file) || file.startsWith("src/test/");

function getLayer(file: string): string {
  const [top = "", inner = ""] = file.split("/");
  return top === "src" ? inner.replace(/\.ts$/, "") : top;
}

/** The searched text of a file. NEXT_RUNTIME and NODE_ENV are constants of Next's build, not settings. */
function readSearchedText({ path: file, text }: SourceFile): string {
  const isStart = file === "src/instrumentation.ts";
  return withoutComments(isStart ? text.replace(/process\.env\.(NEXT_RUNTIME|NODE_ENV)/g, "") : text);
}

function withoutComments(text: string): string {
  return text.replace(/^\s*(\/\/|\/\*|\*|--).*$/gm, "").replace(/\s\/\/ .*$/gm, "");
}

function readTree(folder: string): SourceFile[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const code = names.filter((name) => /\.(tsx?|sql)$/.test(name)).map((name) => `${folder}/${name}`);
  return code.map((file) => ({ path: file.replaceAll("\\", "/"), text: readFileSync(file, "utf8") }));
}

/** Names that do not belong at the top of the repository. */
function findUnlistedNames(names: readonly string[], ignored: string): string[] {
  const endings = ignored.split("\n").map((line) => line.replace(/\/$/, ""));
  const isIgnored = (name: string) =>
    endings.some((ending) => (ending.startsWith("*") ? name.endsWith(ending.slice(1)) : name === ending));
  return names.filter((name) => !name.startsWith(".") && !TOP_LEVEL.includes(name) && !isIgnored(name));
}

it("every file follows the import rules", () => {
  expect(findViolations(["src", "emails", "drizzle"].flatMap(readTree))).toEqual([]);
});

it("the top folder has only the allowed names", () => {
  expect(findUnlistedNames(readdirSync("."), readFileSync(".gitignore", "utf8"))).toEqual([]);
  expect(findUnlistedNames(["src", ".ci", "lib", "dist", "a.log"], "dist/\n*.log\n")).toEqual(["lib"]);
});

it.each([
  ["src/core/a.ts", 'import type { Key } from "@/features/keys/schema";', "features/…/service.ts"],
  ["src/core/a.ts", 'export * from "../platform/port";', "features/…/service.ts"],
  ["src/core/a.ts", 'const { b } = await import("@/server/start");', "features/…/service.ts"],
  ["src/platform/a.ts", 'import {\n  a,\n  b,\n} from "@/features/creators/rules";', "features/…/service.ts"],
  ["src/features/keys/service.ts", 'import { appContext } from "@/server/context";', "server/ because"],
  ["src/server/a.ts", 'import { GET } from "@/app/api/usage/route";', "app/ because"],
  ["src/server/a.ts", 'import "@/test/service";', "core/ or a feature"],
  ["src/cli/a.ts", 'import { a } from "@/core/a.test";', "core/ or a feature"],
  ["src/ui/a.tsx", 'import { TIERS } from "@/db/values";', "app/ because"],
  ["src/client/a.ts", 'import { TIERS } from "@/db/values";', "server/ because"],
  ["src/server/a.ts", 'import { createGrowthClient } from "@/client/client";', "app/ because"],
  ["emails/a.tsx", 'import { TIERS } from "@/db/values";', "features/…/service.ts"],
  ["src/app/a/page.tsx", 'import { r } from "@/features/keys/router";', "features/…/service.ts"],
  ["src/features/keys/router.ts", 'import { j } from "../alerts/jobs";', "features/…/service.ts"],
  ["src/features/keys/rules.ts", 'import { eq } from "drizzle-orm";', "features/…/service.ts"],
  ["src/server/a.ts", 'import { sql } from "drizzle-orm/pg-core";', "features/…/service.ts"],
  ["src/app/api/route.ts", 'import { NextResponse } from "next/server";', "a page"],
  ["src/features/keys/rules.ts", 'import { cache } from "react";', "app/, ui/ or emails/"],
  ["src/core/a.tsx", "export const a = <p />;", "app/, ui/ or emails/"],
  ["src/lib/a.ts", "", "app, cli, instrumentation, proxy, server"],
  ["src/features/keys/helpers.ts", "", "schema.ts (the zod contract)"],
  ["src/core/log/log.ts", "const level = process.env.LOG_LEVEL;", "core/env.ts"],
  ["src/core/log/log.ts", "const { env } = process;", "core/env.ts"],
  ["src/instrumentation.ts", "if (process.env.PORT) start();", "core/env.ts"],
  ["src/server/a.ts", "process.env.NEXT_RUNTIME", "core/env.ts"],
  ["src/server/a.ts", "const at = new Date();", "core/time.ts"],
  ["src/db/schema/a.ts", "timestamp().notNull().defaultNow()", "ctx.clock"],
  ["drizzle/0009_a.sql", '"at" timestamptz DEFAULT now() NOT NULL', "ctx.clock"],
  ["src/features/keys/service.ts", "sql`where day < current_date`", "ctx.clock"],
])("reports %s: %s", (file, text, place) => {
  const [found = "", ...others] = findViolations([{ path: file, text }]);
  const [where, advice] = found.split("; this belongs in ");
  expect([where, advice, others]).toEqual([expect.stringContaining(file), expect.stringContaining(place), []]);
});

it("reports features that import one another, also indirectly", () => {
  const needs = (from: string, to: string) => ({
    path: `src/features/${from}/service.ts`,
    text: `import { rule } from "@/features/${to}/rules";`,
  });
  expect(findViolations([needs("a", "b"), needs("b", "c"), needs("c", "d")])).toEqual([]);
  expect(findViolations([needs("a", "b"), needs("b", "c"), needs("c", "a")])).toHaveLength(3);
});

it.each([
  ["src/instrumentation.ts", 'if (process.env.NEXT_RUNTIME) await import("@/server/start");'],
  ["src/server/a.ts", 'import { r } from "@/features/keys/router";\n// new Date()\nclock.now();'],
  ["src/server/a.ts", 'import client from "@/client/package.json" with { type: "json" };'],
  ["src/features/keys/service.ts", 'import { eq } from "drizzle-orm";\nimport { m } from "@emails/a";'],
  ["src/core/a.test.ts", 'import { useService } from "@/test/service";\nnew Date();'],
])("accepts %s: %s", (file, text) => expect(findViolations([{ path: file, text }])).toEqual([]));
