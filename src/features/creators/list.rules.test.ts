import { describe, expect, it } from "vitest";
import { LINES_AT_ONCE, type ListEntry, parseInput, replaceLine } from "./list.rules";

const ID = `UC${"a1_-".repeat(5)}xy`;
const URL = `https://www.youtube.com/channel/${ID}`;

/** Each line's number with the name it gives, or its error. */
function listEntries(text: string): [number, string][] {
  const recognised = parseInput(text);
  if (recognised.kind === "niche") throw new Error(`a niche: ${recognised.niche}`);
  return recognised.entries.map((entry) => [entry.line, describeEntry(entry)]);
}

function describeEntry(entry: ListEntry): string {
  if ("name" in entry) return entry.name;
  return "error" in entry ? `! ${entry.error}` : `repeats ${entry.repeats}`;
}

describe("recognise", () => {
  it.each([
    "",
    "gaming",
    "  chess openings ",
    "node.js",
    "24/7 news",
    "UCLA sports",
    "me@example.com",
    "料理",
    "ألعاب 🎮",
  ])("treats %j as a niche", (text) => expect(parseInput(text)).toEqual({ kind: "niche", niche: text.trim() }));

  it.each([
    ["@some.maker", ["@some.maker"]],
    [` ${URL}\n`, [ID]],
    [`@one.maker, ${ID};youtube.com/@two.maker  @日本語`, ["@one.maker", ID, "@two.maker", "@日本語"]],
    ["\u200e@one.maker\u200f", ["@one.maker"]],
  ])("finds the channels on one line: %j", (text, names) => {
    expect(listEntries(text)).toEqual(names.map((name, index) => [index + 1, name]));
  });

  it("keeps a first line that is a sentence, so that its problem is shown", () => {
    const list = parseInput("Channel of my good friend\n@maker");
    expect(list.kind === "channels" && list.entries).toHaveLength(2);
  });

  it("finds one channel per line, in the first cell that names one, without header and blank lines", () => {
    const csv = [
      "Name;Channel URL;Notes",
      `"Maker, ""the"" 🎮";${URL};@other.maker`,
      "",
      "اسم عربي,@arabic.maker,,",
      'Tabs\t"@tab.maker"\t1,000',
      "@plain.maker – a friend",
    ];
    expect(listEntries(csv.join("\r\n"))).toEqual([
      [2, ID],
      [4, "@arabic.maker"],
      [5, "@tab.maker"],
      [6, "@plain.maker"],
    ]);
  });

  it("finds every channel on a line of channels alone, but one per line below a header", () => {
    const lines = `@one.maker, @two.maker\n${URL} @three.maker\n@four.maker, a friend`;
    expect(listEntries(lines)).toEqual([
      [1, "@one.maker"],
      [2, "@two.maker"],
      [3, ID],
      [4, "@three.maker"],
      [5, "@four.maker"],
    ]);
    expect(listEntries(`url,handle\n${URL},@some.maker`)).toEqual([[2, ID]]);
    expect(replaceLine(lines, 2, "@2.maker")).toContain("@one.maker\n@2.maker\n");
  });

  it("gives the reason for each line that names no channel", () => {
    const lines = [
      "@one.maker",
      "https://vimeo.com/@maker",
      "youtube.com/watch?v=dQw4w9WgXcQ",
      "a name",
      "@a",
      `${ID}x`,
    ];
    expect(listEntries(lines.join("\n")).map(([, outcome]) => outcome.slice(0, 28))).toEqual([
      "@one.maker",
      "! Only youtube.com channel U",
      "! This youtube.com URL is no",
      "! Must be a channel id (UC a",
      "! Must be a channel id (UC a",
      "! Must be a channel id (UC a",
    ]);
    expect(listEntries("http://vimeo.com/x @one.maker")).toEqual([
      [1, "! Only youtube.com channel URLs work here"],
      [2, "@one.maker"],
    ]);
  });

  it("marks a channel named before, in any form and case", () => {
    expect(listEntries(`@Some.Maker\n${ID}\n\nyoutube.com/@some.maker\n${URL}`)).toEqual([
      [1, "@Some.Maker"],
      [2, ID],
      [4, "repeats 1"],
      [5, "repeats 2"],
    ]);
  });

  it("replaces the text of one line, also among channels on one line", () => {
    expect(replaceLine("@one.maker\n\n@x\n@two.maker", 3, "@xyz")).toBe("@one.maker\n\n@xyz\n@two.maker");
    expect(replaceLine(" @one.maker, @x", 2, "@xyz")).toBe("@one.maker\n@xyz");
  });

  it("takes the first 500 of 10,000 lines and leaves the rest", () => {
    const lines = Array.from({ length: 10_000 }, (_, number) => `@maker.${number}`);
    const found = parseInput(lines.join("\n"));
    if (found.kind === "niche") throw new Error("a niche");
    expect(found.entries).toHaveLength(LINES_AT_ONCE);
    expect(found.rest.split("\n")).toEqual(lines.slice(LINES_AT_ONCE));
  });
});
