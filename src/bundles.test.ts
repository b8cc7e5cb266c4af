import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

/** Packages that are slow to load: jobs, email templates, email sending and MCP. */
const HEAVY = /^(inngest|react-email|@react-email|resend|@modelcontextprotocol)(\/|$)/;
const API = "src/app/api";
/** Entries that need such a package. */
const IN_NEED: Record<string, RegExp> = {
  [`${API}/webhooks/resend/route.ts`]: /^resend$/,
};

/** Static imports of a file, without types. */
function listLoaded(file: string): string[] {
  const text = readFileSync(file, "utf8").replace(/^\s*(\/\/|\/\*|\*).*$/gm, "");
  const form = /^(?:import|export)\s+(?!type\b)(?:([^"';]*?)\bfrom\s*)?["']([^"']+)["']/gm;
  return [...text.matchAll(form)].flatMap(([, names = "", from = ""]) => (isTypesOnly(names) ? [] : [from]));
}

function isTypesOnly(names: string): boolean {
  const [, inBraces = ""] = /^\{([^}]*)\}\s*$/.exec(names.trim()) ?? [];
  const listed = inBraces.split(",").flatMap((name) => name.trim() || []);
  return listed.length > 0 && listed.every((name) => name.startsWith("type "));
}

/** The file of an import; null for a package. */
function resolveFile(target: string, importer: string): string | null {
  const from = target.startsWith(".")
    ? path.posix.join(path.posix.dirname(importer), target)
    : target.replace(/^@\//, "src/").replace(/^@emails\//, "emails/");
  if (from === target) return null;
  const found = [from, `${from}.ts`, `${from}.tsx`].find((name) => /\.\w+$/.test(name) && existsSync(name));
  if (!found) throw new Error(`${importer} imports ${target}, which does not exist`);
  return found;
}

/** Import chains from a file to heavy packages, one for each package. */
function findHeavyPaths(entry: string): string[] {
  const cameFrom = new Map([[entry, ""]]);
  const ways = new Map<string, string>();
  for (const file of cameFrom.keys()) {
    if (!/\.tsx?$/.test(file)) continue;
    for (const target of listLoaded(file)) {
      const next = resolveFile(target, file);
      if (next) cameFrom.set(next, cameFrom.get(next) ?? file);
      else if (HEAVY.test(target)) ways.set(target, ways.get(target) ?? formatPath(file));
    }
  }
  function formatPath(file: string): string {
    const before = cameFrom.get(file);
    return before ? `${formatPath(before)} > ${file}` : file;
  }
  return [...ways].map(([name, way]) => `${way} > ${name}`);
}

const apiRoutes = readdirSync(API, { recursive: true, encoding: "utf8" })
  .map((name) => `${API}/${name.replaceAll("\\", "/")}`)
  .filter((name) => name.endsWith("/route.ts"));

describe("bundle check", () => {
  const entries = ["src/instrumentation.ts", "src/server/start.ts", ...apiRoutes, "src/app/mcp/route.ts"];

  it.each(entries)("finds no jobs, email or MCP packages loaded at start by %s", (entry) => {
    const needs = (way: string) => IN_NEED[entry]?.test(way.split(" > ").at(-1) ?? "");
    expect(findHeavyPaths(entry).filter((way) => !needs(way))).toEqual([]);
  });

  it("reports packages loaded at start, directly or indirectly", () => {
    expect(findHeavyPaths("src/server/inngest.ts")).toContainEqual(
      expect.stringMatching(/^src\/server\/inngest\.ts > .* > inngest/),
    );
    expect(findHeavyPaths("emails/growth-alert.tsx")).toContain("emails/growth-alert.tsx > react-email");
  });
});
