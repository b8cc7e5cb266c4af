import { describe, expect, it } from "vitest";
import { computeContrast } from "@/test/contrast";
import { drawAvatar } from "./avatar";

const makeId = (number: number) => `UC${String(number).padStart(22, "0")}`;

describe("avatar drawing", () => {
  it("draws the same for the same channel, whatever its name", () => {
    const one = drawAvatar({ channel_id: makeId(7), name: "Ten Minute Tamarind" });
    const renamed = drawAvatar({ channel_id: makeId(7), name: "Tamarind" });
    expect({ ...renamed, initials: "" }).toEqual({ ...one, initials: "" });
  });

  it("draws differently for most channels", () => {
    const pictures = Array.from({ length: 100 }, (_, number) => drawAvatar({ channel_id: makeId(number), name: "" }));
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
      expect(computeContrast(from, "#ffffff"), from).toBeGreaterThan(4.5);
      expect(computeContrast(to, "#ffffff"), to).toBeGreaterThan(2.5);
    }
  });
});
