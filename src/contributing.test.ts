import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const read = (file: string) => readFileSync(file, "utf8");
const quoted = [...read("CONTRIBUTING.md").matchAll(/`([^`\n]+)`/g)].map(([, text = ""]) => text);

/** A path of the project, not one with a placeholder such as `<name>`. */
const isPath = (text: string) => /^(src|docs|drizzle|bench|e2e|emails|public)\/[\w./()[\]-]+$/.test(text);
/** A name in camel case or constant case, with what follows left out: `keptIf(…)`, `Env["platform"]`. */
const nameIn = (text: string) => /^([a-z]+[A-Z]\w*|[A-Z]+_[A-Z_]+|[A-Z][a-z]+[A-Z]\w*)\b/.exec(text)?.[0] ?? [];

it("CONTRIBUTING mentions only paths that exist", () => {
  expect(quoted.filter(isPath).length).toBeGreaterThan(30);
  expect(quoted.filter((text) => isPath(text) && !existsSync(text))).toEqual([]);
});

it("CONTRIBUTING mentions only functions, types and constants that exist", () => {
  const code = ["src", "emails", "e2e"]
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => path.join(folder, name)),
    )
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map(read)
    .join("\n");
  const names = quoted.flatMap(nameIn);
  expect(names.length).toBeGreaterThan(15);
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(code))).toEqual([]);
});
