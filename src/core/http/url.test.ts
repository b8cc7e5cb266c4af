import { describe, expect, it } from "vitest";
import { parseUrl } from "./url";

describe("parseUrl", () => {
  it("returns the same result however often URLs were parsed before", () => {
    const read = () =>
      [
        "http://\u00c4\u0080",
        "http://\u00e9.example",
        "http://a\u00adb",
        "http://a b",
        "https://growth.example/x?y=1",
      ].map((text) => parseUrl(text)?.href ?? null);
    const before = read();
    for (let time = 0; time < 100_000; time++) parseUrl("http://growth.example");
    expect(read()).toEqual(before);
    expect(before).toEqual([null, "http://xn--9ca.example/", "http://ab/", null, "https://growth.example/x?y=1"]);
  });

  it("resolves a URL relative to another", () => {
    expect(parseUrl("/settings?a=1", "http://own.invalid")?.href).toBe("http://own.invalid/settings?a=1");
    expect(parseUrl("/settings")).toBeNull();
  });
});
