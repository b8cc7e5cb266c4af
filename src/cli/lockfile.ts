import { z } from "zod";

const Lockfile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      resolved: z.string().optional(),
      integrity: z.string().optional(),
      license: z.string().optional(),
      dev: z.boolean().optional(),
      inBundle: z.boolean().optional(),
    }),
  ),
});

/** What may be shipped with a service under the MIT licence. The LGPL is that of the library behind sharp, left as it is. */
const FREE = new Set(
  `MIT,MIT-0,ISC,0BSD,BSD-2-Clause,BSD-3-Clause,Apache-2.0,BlueOak-1.0.0,Unlicense,CC0-1.0,CC-BY-4.0,Public Domain,Zlib,
  PSF-2.0,Python-2.0,LGPL-3.0-or-later`.split(/,\s*/),
);
/** Development tools that no build contains, under other terms or with none stated. */
const TOOLS = /^(axe-core|@axe-core\/playwright|lightningcss.*|neverpanic)$/;

/** A package that the service is built from or installs. */
export interface LockedPackage {
  name: string;
  version: string;
  licence: string;
}

/**
 * The packages in a lockfile, but for tools. Those for development count: the build bundles most of what the service runs.
 */
export function shippedPackages(text: string): LockedPackage[] {
  return locked(text)
    .filter(([path, entry]) => !(entry.dev && TOOLS.test(nameOf(path))))
    .map(([path, { version = "", license = "none" }]) => ({ name: nameOf(path), version, licence: license }));
}

/** What is wrong with the lockfile: packages that nothing vouches for, and licences that bind whoever ships them. */
export function lockfileProblems(text: string): string[] {
  const unverified = locked(text)
    .filter(([, { integrity, inBundle }]) => !inBundle && !/^sha(512|384|256)-/.test(integrity ?? ""))
    .map(([path]) => `${nameOf(path)} has no checksum`);
  const foreign = locked(text)
    .filter(([, { resolved }]) => resolved && !resolved.startsWith("https://"))
    .map(([path]) => `${nameOf(path)} comes from elsewhere than a registry over https`);
  const bound = shippedPackages(text)
    .filter(({ licence }) => !isFree(licence))
    .map(({ name, licence }) => `${name} is under ${licence}`);
  return [...unverified, ...foreign, ...bound];
}

function locked(text: string) {
  const { packages } = Lockfile.parse(JSON.parse(text));
  return Object.entries(packages).filter(([path]) => path !== "");
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
}

/** All that hold at once must be free; of those to choose from one. */
function isFree(licence: string): boolean {
  const words = licence.replace(/[()]/g, "");
  if (words.includes(" OR ")) return words.split(" OR ").some((choice) => FREE.has(choice));
  return words.split(" AND ").every((part) => FREE.has(part));
}
