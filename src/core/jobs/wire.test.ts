import { describe, expect, it } from "vitest";
import { canonicalJson } from "./wire";

describe("the canonical form of a body", () => {
  it("has the keys of every object in order, and nothing that JSON leaves out", () => {
    const body = { b: [1, undefined, { d: null, c: "é\n" }], a: undefined, "10": true, "2": {} };
    expect(canonicalJson(body)).toBe('{"10":true,"2":{},"b":[1,null,{"c":"é\\n","d":null}]}');
    expect([canonicalJson([]), canonicalJson({}), canonicalJson("x")]).toEqual(["[]", "{}", '"x"']);
  });

  it("is that of what is nested a hundred deep, and of nothing deeper", () => {
    const nested = (depth: number) => `${"[".repeat(depth)}0${"]".repeat(depth)}`;
    expect(canonicalJson(JSON.parse(nested(100)))).toBe(nested(100));
    for (const depth of [101, 5000])
      expect(() => canonicalJson(JSON.parse(nested(depth)))).toThrow("100 deep");
  });
});
