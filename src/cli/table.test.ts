import { describe, expect, it } from "vitest";
import { formatFacts, formatTable } from "./table";

const HEAD = ["key", "outcome", "reason"];
const REASON = "validation_error (422): Invalid `to` field. The address needs to follow the `email@example.com` format";
const ROWS = [["key_5f2c81d09a3e5f2c81d09a3e", "failed", REASON]];
const getWidest = (text: string) => Math.max(...text.split("\n").map((line) => line.length));

describe("table of a command", () => {
  it.each([80, 100, 132])("fits a terminal of %d columns by wrapping its widest column", (width) => {
    const drawn = formatTable(HEAD, ROWS, width);
    expect(getWidest(drawn)).toBeLessThanOrEqual(width);
    expect(drawn).toContain("│ key_5f2c81d09a3e5f2c81d09a3e │ failed  │");
  });

  it("is one record of lines for each row in a terminal below 80 columns", () => {
    expect(formatTable(HEAD, [...ROWS, ...ROWS], 79)).toBe(
      Array(2).fill(`key: key_5f2c81d09a3e5f2c81d09a3e\noutcome: failed\nreason: ${REASON}`).join("\n\n"),
    );
    expect(formatFacts({ reason: REASON }, 60)).toBe(`reason: ${REASON}`);
  });

  it("is records where a column would cut an id", () => {
    const head = ["key", "owner", "reason"];
    const ids = [["key_5f2c81d09a3e5f2c81d09a3e", "key_0e499d987ed52970dafd4215key_637ad65c6722", REASON]];
    expect(formatTable(head, ids, 80)).toMatch(/^key: key_5f2c81d09a3e5f2c81d09a3e\nowner: /);
  });

  it("is as wide as its content where there is no terminal", () => {
    expect(formatTable(HEAD, ROWS)).toContain(REASON);
  });
});
