import { describe, expect, it } from "vitest";
import { canonicalJson } from "./protocol";

describe("the canonical form of a body", () => {
  it("has the keys of every object in order, without undefined fields", () => {
    const body = { b: [1, undefined, { d: null, c: "é\n" }], a: undefined, "10": true, "2": {} };
    expect(canonicalJson(body)).toBe('{"10":true,"2":{},"b":[1,null,{"c":"é\\n","d":null}]}');
    expect([canonicalJson([]), canonicalJson({}), canonicalJson("x")]).toEqual(["[]", "{}", '"x"']);
  });
});
