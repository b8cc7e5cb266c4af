import { expect, it } from "vitest";
import { PLAIN_TEXT } from "./fields";

it.each(["", "gaming", "jeux vidéo", "💥 𝕳", "\u202e", "a  b"])("PLAIN_TEXT accepts %j", (text) =>
  expect(PLAIN_TEXT.test(text)).toBe(true),
);

it.each(["\u0000", "a\nb", "\u007f", "\u0085", "\ud83d", "a\udca5", "\udca5\ud83d"])("PLAIN_TEXT refuses %j", (text) =>
  expect(PLAIN_TEXT.test(text)).toBe(false),
);
