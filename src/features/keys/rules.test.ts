import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { formatKeyHint, generateKey, hashKey, isWellFormedKey, SANDBOX_KEY } from "./rules";
import { LabelInput } from "./schema";

it.each(["a\u0000b", "a\ud800b", " ", "x".repeat(101)])("refuses %j, which cannot be stored as a label", (label) =>
  expect(LabelInput.safeParse(label).success).toBe(false),
);

describe("API key format", () => {
  it("generates distinct keys of cg_ and 39 letters and digits", () => {
    const keys = Array.from({ length: 500 }, generateKey);
    for (const key of keys) expect(key).toMatch(/^cg_[0-9A-Za-z]{39}$/);
    expect(new Set(keys).size).toBe(500);
    expect(keys.every(isWellFormedKey)).toBe(true);
  });

  it("refuses a key with any one character changed, dropped or swapped with its neighbour", () => {
    const key = generateKey();
    for (let at = 0; at < key.length; at++) {
      const other = key[at] === "x" ? "y" : "x";
      expect(isWellFormedKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
      expect(isWellFormedKey(key.slice(0, at) + key.slice(at + 1))).toBe(false);
      const swapped = key.slice(0, at) + key.charAt(at + 1) + key.charAt(at) + key.slice(at + 2);
      if (swapped !== key) expect(isWellFormedKey(swapped)).toBe(false);
    }
  });

  it.each(["", "cg_", " ", "Bearer x", `cg_${"a".repeat(39)}`, `${"9".repeat(10_000)}`])(
    "refuses %j as an API key",
    (text) => expect(isWellFormedKey(text)).toBe(false),
  );

  it("gives the public sandbox key the format and checksum of other keys behind its prefix", () => {
    expect(SANDBOX_KEY).toMatch(/^cg_test_[0-9A-Za-z]{39}$/);
    const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    const value = [...SANDBOX_KEY.slice(-6)].reduce((sum, digit) => 62 * sum + digits.indexOf(digit), 0);
    expect(value).toBe(crc32(SANDBOX_KEY.slice(0, -6)));
  });

  it("shows eight characters of a key, and no more, in its hint", () => {
    const key = generateKey();
    expect(formatKeyHint(key)).toBe(`${key.slice(0, 7)}…${key.slice(-4)}`);
  });

  it("hashes a key with SHA-256 in hex", () => {
    expect(hashKey("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });
});
