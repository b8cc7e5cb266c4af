import { describe, expect, it } from "vitest";
import { readListFile } from "./read-list";

const TEXT = "Künstler;Kanal\nJörg;@some.maker";
const readBytes = (bytes: Buffer | string) => readListFile(new File([new Blob([bytes as BlobPart])], "list.csv"));

describe("file with a list", () => {
  it.each<[string, Buffer, string | undefined]>([
    ["UTF-8", Buffer.from(TEXT), undefined],
    ["UTF-8 with its mark", Buffer.from(`\ufeff${TEXT}`), undefined],
    ["UTF-16", Buffer.from(`\ufeff${TEXT}`, "utf16le"), "UTF-16"],
    ["UTF-16 without its mark", Buffer.from(TEXT, "utf16le"), "UTF-16"],
    ["big-endian UTF-16", Buffer.from(`\ufeff${TEXT}`, "utf16le").swap16(), "UTF-16"],
    ["Windows-1252", Buffer.from(TEXT, "latin1"), "Windows-1252"],
  ])("is read in %s, and says which encoding was guessed", async (_, bytes, encoding) => {
    const read = await readBytes(bytes);
    expect(read).toMatchObject({ title: "list.csv", text: TEXT });
    expect("encoding" in read ? read.encoding : undefined).toBe(encoding);
  });

  it("in UTF-8 keeps its names when a few characters are broken", async () => {
    const read = await readBytes(Buffer.concat([Buffer.from(TEXT), Buffer.from("\nZoë;@猫").subarray(0, -1)]));
    expect(read).toMatchObject({ text: `${TEXT}\nZoë;@\ufffd`, encoding: "UTF-8 with broken characters" });
  });

  it("in valid UTF-8 is read as such, though broken characters were saved in it", async () => {
    const read = await readBytes("Zoë;\ufffd\ufffd\ufffd");
    expect(read).toEqual({ id: expect.any(String), title: "list.csv", text: "Zoë;\ufffd\ufffd\ufffd" });
  });

  it("may have a stray zero", async () => {
    expect(await readBytes(`${TEXT}\u0000`)).toMatchObject({ text: `${TEXT}\u0000` });
  });

  it.each([
    ["a workbook", "PK\u0003\u0004…", "Save the sheet as CSV"],
    ["a PDF", "%PDF-1.7", "Copy its text"],
    ["another binary file", "GIF\u0000\u0001\u0002", "is not a text file"],
    ["empty", "", "list.csv is empty"],
    ["only blank", "\ufeff \r\n", "list.csv is empty"],
    ["more than 5 MB", "x".repeat(5 * 1024 * 1024 + 1), "is larger than 5 MB"],
  ])("that is %s says what to do", async (_, content, problem) =>
    expect(await readBytes(content)).toEqual({ problem: expect.stringContaining(problem) }),
  );
});
