import { z } from "zod";

const Entry = z.object({
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  license: z.string().default("none"),
  dev: z.boolean().optional(),
  inBundle: z.boolean().optional(),
});
const Lockfile = z.object({ packages: z.record(z.string(), Entry) });

/** Licences that allow shipping with an MIT service. LGPL is sharp's library, which is shipped unchanged. */
const ALLOWED = new Set(
  `MIT,MIT-0,ISC,0BSD,BSD-2-Clause,BSD-3-Clause,Apache-2.0,BlueOak-1.0.0,Unlicense,CC0-1.0,CC-BY-4.0,Public Domain,Zlib,
  PSF-2.0,Python-2.0,LGPL-3.0-or-later,OFL-1.1`.split(/,\s*/),
);
/** Development tools that no build contains. */
const TOOLS = /^(axe-core|@axe-core\/playwright|lightningcss.*|neverpanic)$/;

export interface LockedPackage extends z.output<typeof Entry> {
  name: string;
}

/** The packages in a lockfile. */
export function lockedPackages(text: string): LockedPackage[] {
  return Object.entries(Lockfile.parse(JSON.parse(text)).packages)
    .filter(([path]) => path !== "")
    .map(([path, entry]) => ({ ...entry, name: path.slice(path.lastIndexOf("node_modules/") + 13) }));
}

/** Whether a build may contain the package. Development packages count: the build bundles most of them. */
export function isShipped({ name, dev }: LockedPackage): boolean {
  return !(dev && TOOLS.test(name));
}

/** What is wrong with packages: a missing checksum, a source other than https, a licence that is not allowed. */
export function lockfileProblems(packages: LockedPackage[]): string[] {
  return packages.flatMap((entry) => {
    const { name, integrity = "", inBundle, resolved = "https://", license } = entry;
    return [
      ...(inBundle || /^sha(512|384|256)-/.test(integrity) ? [] : [`${name} has no checksum`]),
      ...(resolved.startsWith("https://") ? [] : [`${name} does not come from a registry over https`]),
      ...(!isShipped(entry) || isAllowed(license) ? [] : [`${name} is under ${license}`]),
    ];
  });
}

function isAllowed(license: string): boolean {
  const choices = license.replace(/[()]/g, "").split(" OR ");
  return choices.some((choice) => choice.split(" AND ").every((part) => ALLOWED.has(part)));
}
