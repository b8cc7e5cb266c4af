import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";
import manifest from "../package.json" with { type: "json" };

const Entry = z.object({
  integrity: z.string().default(""),
  license: z.string().default("none"),
  dev: z.boolean().default(false),
  inBundle: z.boolean().default(false),
});
const Lockfile = z.object({ packages: z.record(z.string(), Entry) });

/** Licences that allow shipping with an MIT service. LGPL is sharp's library, which is shipped unchanged. */
const ALLOWED = new Set(
  `MIT,MIT-0,ISC,0BSD,BSD-2-Clause,BSD-3-Clause,Apache-2.0,BlueOak-1.0.0,Unlicense,CC0-1.0,CC-BY-4.0,Public Domain,Zlib,
  PSF-2.0,Python-2.0,LGPL-3.0-or-later,OFL-1.1`.split(/,\s*/),
);
/** Names no licence in this version. Its later versions are MIT. It is a part of Scalar's API reference. */
const UNNAMED = /node_modules\/neverpanic$/;
/** Code that production does not run. */
const TESTS = /^src\/test\/|\.test\.tsx?$/;
const BUILD_TOOLS = ["src/cli/build.ts", "src/cli/bundle.ts", "src/cli/image.ts", "src/cli/client-package.ts"];

const { packages } = Lockfile.parse(JSON.parse(readFileSync("package-lock.json", "utf8")));
const entries = Object.entries(packages).filter(([path]) => path !== "");

function isAllowed(license: string): boolean {
  const choices = license.replace(/[()]/g, "").split(" OR ");
  return choices.some((choice) => choice.split(" AND ").every((part) => ALLOWED.has(part)));
}

/** Names of the packages that a source text imports or takes a file from. */
function findPackages(text: string): string[] {
  const code = text.replace(/^\s*(\/\/|\/\*|\*).*$/gm, "");
  const form =
    /(?:^(?:import|export)\b(?:[^"'`;]*?\bfrom)?\s*"|\b(?:import|URL|url)\(\s*"|\bnode_modules\/)(?!@emails\/)((?:@[\w-]+\/)?[a-z][\w.-]*)[/"]/gm;
  return [...code.matchAll(form)].flatMap(([, name = ""]) => name);
}

function listProductFiles(): string[] {
  const files = ["src", "emails"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name.replaceAll("\\", "/")}`),
  );
  return files.filter((file) => /\.(tsx?|css)$/.test(file) && !TESTS.test(file) && !BUILD_TOOLS.includes(file));
}

it("every package that production code imports is a dependency", () => {
  const imported = listProductFiles().flatMap((file) =>
    findPackages(readFileSync(file, "utf8")).map((name) => ({ file, name })),
  );
  expect(imported.length).toBeGreaterThan(400);
  expect(imported.filter(({ name }) => !(name in manifest.dependencies))).toEqual([]);
});

it.each([
  ['import { z } from "zod";', ["zod"]],
  ['import type {\n  A,\n} from "@trpc/server/http";', ["@trpc/server"]],
  ['import "@mantine/core/styles.css";', ["@mantine/core"]],
  ['await import("drizzle-orm/pg-core")', ["drizzle-orm"]],
  ['new URL("@scalar/api-reference/x.js", import.meta.url)', ["@scalar/api-reference"]],
  ['src: url("@fontsource-variable/geist/files/a.woff2")', ["@fontsource-variable/geist"]],
  ['src: "../../node_modules/@fontsource-variable/geist/a"', ["@fontsource-variable/geist"]],
  ['// import a from "a";\nimport b from "./b";\nimport c from "@/c";\nimport d from "node:fs";', []],
])("finds the packages of %s", (text, names) => expect(findPackages(text)).toEqual(names));

it("every shipped package has an allowed licence", () => {
  const shipped = entries.filter(([path, { dev }]) => !dev && !UNNAMED.test(path));
  expect(shipped.length).toBeGreaterThan(100);
  expect(shipped.filter(([, { license }]) => !isAllowed(license))).toEqual([]);
});

it("every package has a checksum", () => {
  const unchecked = entries.filter(([, { integrity, inBundle }]) => !inBundle && !/^sha(512|384|256)-/.test(integrity));
  expect(unchecked).toEqual([]);
});

it.each([
  ["(GPL-2.0 OR MIT)", true],
  ["MIT AND AGPL-3.0", false],
  ["none", false],
])("isAllowed for the license %s returns %s", (license, allowed) => expect(isAllowed(license)).toBe(allowed));
