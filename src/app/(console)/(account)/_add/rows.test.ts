import { describe, expect, it } from "vitest";
import { readList } from "@/features/creators/list.rules";
import type { ChannelPreview } from "@/features/creators/preview.service";
import { buildRows, countStates, formatSummary, sortWork } from "./rows";
import type { Preview } from "./use-adding";

const createChannel = (channel_id: string, is_tracked = false): { channel: ChannelPreview } => {
  const unknown = { handle: null, thumbnail_url: null, country: null, subscribers: null };
  return {
    channel: { channel_id, name: channel_id, url: "https://a.example", counts: "unread", is_tracked, ...unknown },
  };
};
const NOT_FOUND = { code: "not_found", error: "Channel not found on the platform" } as const;
const PREVIEWS = new Map<string, Preview>([
  ["@ready", createChannel("UC1")],
  ["@known", createChannel("UC2", true)],
  ["@closed", NOT_FOUND],
  ["https://www.youtube.com/c/Ready", createChannel("UC1")],
  ["https://www.youtube.com/c/Guess", createChannel("UC3")],
]);
const LIST = "a heading\n@known\nyoutube.com/c/Ready\n@ready\n@closed\n@later\n@a\n@ready\nyoutube.com/Guess";

describe("rows of a list", () => {
  it("come by outcome, those with problems first, and name the line of a repeat", () => {
    const rows = buildRows(readList(LIST).entries, PREVIEWS, new Map());
    expect(rows.map(({ entry, state }) => [entry.line, state])).toEqual([
      [7, "wrong"],
      [5, "missing"],
      [9, "guess"],
      [6, "new"],
      [4, "ready"],
      [2, "known"],
      // A certain line stands for its channel, also after a guess.
      [3, "repeated"],
      [8, "repeated"],
      [1, "skipped"],
    ]);
    expect(rows.flatMap(({ state, reason }) => (state === "repeated" ? [reason] : []))).toEqual([
      "Already on line 4",
      "Already on line 4",
    ]);
    expect(formatSummary(countStates(rows), true)).toBe(
      "1 to correct · 1 not found · 1 guess · looking up 1 · 1 to track · 1 already tracked · 2 repeated · 1 skipped",
    );
  });

  it("stay with the reason when their channels could not be tracked", () => {
    const outcomes = new Map([
      ["UC1", "Try again later"],
      ["UC3", null],
    ]);
    const rows = buildRows(readList(LIST).entries, PREVIEWS, outcomes);
    expect(rows.find(({ entry }) => entry.line === 4)).toMatchObject({ state: "refused", reason: "Try again later" });
    expect(rows.find(({ entry }) => entry.line === 9)).toMatchObject({ state: "tracked" });
  });

  it("say that a text names no channel", () => {
    const rows = buildRows(readList("a heading\nhttps://a.example/x").entries, PREVIEWS, new Map());
    expect(formatSummary(countStates(rows), false)).toBe("No channel found in 2 lines");
  });

  it("quote what a guess was guessed from, and track it only when it is confirmed", () => {
    const rows = buildRows(readList("Name,Handle\nOne,Guess\nTwo,@known").entries, PREVIEWS, new Map());
    const [guess] = rows;
    expect(guess).toMatchObject({ state: "new", entry: { name: "@Guess", guessedFrom: "Guess" } });
    const previews = new Map([...PREVIEWS, ["@Guess", createChannel("UC4")] as const]);
    const previewed = buildRows(readList("Name,Handle\nOne,Guess\nTwo,@known").entries, previews, new Map());
    expect(previewed[0]).toMatchObject({ state: "guess", reason: "Guessed from “Guess”. Is it this channel?" });
    expect(sortWork(previewed, new Set())).toMatchObject({ ids: [], guesses: ["UC4"] });
    expect(sortWork(previewed, new Set(["UC4"])).ids).toEqual(["UC4"]);
  });
});
