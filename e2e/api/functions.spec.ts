import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";

const SERVER = path.resolve(".next/server");
const MAX_BYTES = 12_000_000;

/** The bytes of all files that a function of a serverless host gets. */
function measure(trace: string): number {
  const { files }: { files: string[] } = JSON.parse(readFileSync(trace, "utf8"));
  const sizes = files.map((file) => statSync(path.resolve(path.dirname(trace), file), { throwIfNoEntry: false })?.size);
  return sizes.reduce<number>((sum, size = 0) => sum + size, 0);
}

test("each function of the build has at most 12 MB", () => {
  const traces = readdirSync(SERVER, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".nft.json"),
  );
  expect(traces.length).toBeGreaterThan(40);
  const large = traces.filter((file) => measure(path.join(SERVER, file)) > MAX_BYTES);
  expect(large).toEqual([]);
});
