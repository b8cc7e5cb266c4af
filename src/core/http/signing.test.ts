import { describe, expect, it } from "vitest";
import { createLinkSigner } from "./signing";

describe("createLinkSigner", () => {
  const signer = createLinkSigner("a".repeat(40));
  const token = signer.sign("unsubscribe", ["key_1", "scout@example.com"]);

  it("verifies what it signed", () => {
    expect(signer.verify("unsubscribe", token)).toEqual(["key_1", "scout@example.com"]);
  });

  it("refuses a signature for another purpose or made with another secret", () => {
    expect(signer.verify("confirm-address", token)).toBeNull();
    expect(createLinkSigner("b".repeat(40)).verify("unsubscribe", token)).toBeNull();
  });

  it("verifies what an older secret signed, and signs by the new one", () => {
    const rotated = createLinkSigner("b".repeat(40), "a".repeat(40));
    expect(rotated.verify("unsubscribe", token)).toEqual(["key_1", "scout@example.com"]);
    const next = rotated.sign("unsubscribe", ["key_1"]);
    expect(createLinkSigner("b".repeat(40)).verify("unsubscribe", next)).toEqual(["key_1"]);
    expect(createLinkSigner("c".repeat(40), "b".repeat(40)).verify("unsubscribe", token)).toBeNull();
  });

  it.each(["", ".", "a.b", "a.b.c", `${token}x`, `x${token}`, token.replace(".", "..")])(
    "refuses the token %j",
    (text) => expect(signer.verify("unsubscribe", text)).toBeNull(),
  );
});
