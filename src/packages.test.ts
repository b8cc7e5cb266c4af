import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";

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
/** Development tools that no build contains. The build bundles most other development packages. */
const TOOLS = /node_modules\/(axe-core|@axe-core\/playwright|lightningcss.*|neverpanic)$/;

const { packages } = Lockfile.parse(JSON.parse(readFileSync("package-lock.json", "utf8")));
const entries = Object.entries(packages).filter(([path]) => path !== "");

function isAllowed(license: string): boolean {
  const choices = license.replace(/[()]/g, "").split(" OR ");
  return choices.some((choice) => choice.split(" AND ").every((part) => ALLOWED.has(part)));
}

it("every package that a build may contain has an allowed license", () => {
  const shipped = entries.filter(([path, { dev }]) => !(dev && TOOLS.test(path)));
  expect(shipped.length).toBeGreaterThan(100);
  expect(shipped.filter(([, { license }]) => !isAllowed(license))).toEqual([]);
});

it("every package has a checksum", () => {
  const unchecked = entries.filter(
    ([, { integrity, inBundle }]) => !inBundle && !/^sha(512|384|256)-/.test(integrity),
  );
  expect(unchecked).toEqual([]);
});

it.each([
  ["(GPL-2.0 OR MIT)", true],
  ["MIT AND AGPL-3.0", false],
  ["none", false],
])("isAllowed for the license %s returns %s", (license, allowed) => expect(isAllowed(license)).toBe(allowed));
