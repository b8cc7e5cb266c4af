import { describe, expect, it } from "vitest";
import { drawAvatar } from "./avatar-drawing";

const makeId = (number: number) => `UC${String(number).padStart(22, "0")}`;
const computeContrast = (color: string) => {
  const [red = 0, green = 0, blue = 0] = (color.match(/[\da-f]{2}/gi) ?? []).map((part) => {
    const share = Number.parseInt(part, 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
};

describe("avatar drawing", () => {
  it("draws the same for the same channel, whatever its name", () => {
    const one = drawAvatar({ channel_id: makeId(7), name: "Ten Minute Tamarind" });
    const renamed = drawAvatar({ channel_id: makeId(7), name: "Tamarind" });
    expect({ ...renamed, initials: "" }).toEqual({ ...one, initials: "" });
  });

  it("draws differently for most channels", () => {
    const pictures = Array.from({ length: 100 }, (_, number) =>
      drawAvatar({ channel_id: makeId(number), name: "" }),
    );
    expect(new Set(pictures.map(({ gradient, shape }) => gradient + shape)).size).toBeGreaterThan(80);
  });

  it.each([
    ["Ten Minute Tamarind", "TM"],
    ["  mirador de insectos", "MD"],
    ["🎮 Gaming", "G"],
    ["قناة الطبخ", "قا"],
    ["!!!", ""],
  ])("draws for %j the initials %j", (name, initials) => {
    expect(drawAvatar({ channel_id: makeId(1), name }).initials).toBe(initials);
  });

  it("draws a dark end with enough contrast for white initials", () => {
    for (let number = 0; number < 200; number++) {
      const { gradient } = drawAvatar({ channel_id: makeId(number), name: "" });
      const [from = "", to = ""] = gradient.match(/#[\da-f]{6}/g) ?? [];
      expect(computeContrast(from), from).toBeGreaterThan(4.5);
      expect(computeContrast(to), to).toBeGreaterThan(2.5);
    }
  });
});
