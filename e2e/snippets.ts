import { spawnSync } from "node:child_process";
import { anonymous, expect } from "./fixtures";

/**
 * The texts of every fence of every guide, as the product serves them.
 * @param info the words after the opening of the fence: its language, and `generated` when it needs a generated client
 */
export async function listFences(info: string): Promise<string[]> {
  const { text: list } = await anonymous.get("/llms.txt");
  const pages = [...list.matchAll(/\((http[^)]+)\)/g)].map(([, url = ""]) => new URL(url).pathname);
  const found: string[] = [];
  for (const page of pages.filter((each) => each.endsWith(".md"))) {
    const { status, headers, text } = await anonymous.get(page);
    expect([status, headers.get("content-type")]).toEqual([200, "text/markdown; charset=utf-8"]);
    for (const [, name, code = ""] of text.matchAll(/^```([\w ]+)\n([\s\S]*?)\n```$/gm))
      if (name === info) found.push(code);
  }
  return [...new Set(found)];
}

export function isInstalled(program: string, version = "--version"): boolean {
  return spawnSync(program, [version]).status === 0;
}
