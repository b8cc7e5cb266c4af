import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CORRECTED } from "@/db/values";
import { correctChance, fitCorrection, type GradedChances, MIN_GRADED } from "./correction.rules";
import { createRandom } from "./statistics.rules";

const CHANCES = [0.02, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95];
const toOdds = (chance: number) => Math.log(chance / (1 - chance));
const shift = (chance: number, { intercept, slope }: { intercept: number; slope: number }) =>
  1 / (1 + Math.exp(-intercept - slope * toOdds(chance)));
/** A record of chances that came as often as a correction of them says. */
const createRecord = (each: number, truth: { intercept: number; slope: number }): GradedChances[] =>
  CHANCES.map((chance) => ({ chance, graded: each, came: each * shift(chance, truth) }));
const UNCHANGED = { intercept: 0, slope: 1 };

describe("correction of chances", () => {
  it("recovers any known shift from a long record", () => {
    const shifts = fc.record({
      intercept: fc.double({ min: -1.5, max: 1.5, noNaN: true }),
      slope: fc.double({ min: 0.4, max: 1.8, noNaN: true }),
    });
    fc.assert(
      fc.property(shifts, fc.constantFrom(...CORRECTED), (truth, kind) => {
        const fit = fitCorrection(kind, createRecord(1_000_000, truth));
        expect(fit?.intercept).toBeCloseTo(truth.intercept, 1);
        expect(fit?.slope).toBeCloseTo(truth.slope, 1);
      }),
    );
  });

  it("stays exactly none where all chances came true", () => {
    const fit = fitCorrection("chance_7d", createRecord(1000, UNCHANGED));
    expect(fit?.intercept).toBeCloseTo(0, 9);
    expect(fit?.slope).toBeCloseTo(1, 9);
  });

  it("moves no chance by more than 0.1 after 500 weeks of noise", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = createRandom(seed);
        const record = CHANCES.map((chance) => {
          const came = Array.from({ length: 50 }, random).filter((drawn) => drawn < chance).length;
          return { chance, graded: 50, came };
        });
        const fit = fitCorrection("chance_7d", record) ?? UNCHANGED;
        for (const chance of CHANCES) expect(Math.abs(correctChance(chance, fit) - chance)).toBeLessThan(0.1);
      }),
    );
  });

  it.each(CORRECTED)("of %s needs the least number of grades, and one fewer changes nothing", (kind) => {
    const least = MIN_GRADED[kind];
    const createBiased = (graded: number) => [{ chance: 0.2, graded, came: graded }];
    expect(fitCorrection(kind, createBiased(least - 1))).toBeNull();
    expect(correctChance(0.2, fitCorrection(kind, createBiased(least)) ?? undefined)).toBeGreaterThan(0.2);
    expect(correctChance(0.2, undefined)).toBe(0.2);
  });

  it("keeps chances between 0 and 1, and ends, for any record", () => {
    const records = fc.array(
      fc
        .record({
          chance: fc.double({ min: 0, max: 1, noNaN: true }),
          graded: fc.nat(100_000),
          share: fc.double({ min: 0, max: 1, noNaN: true }),
        })
        .map(({ chance, graded, share }) => ({ chance, graded, came: Math.round(graded * share) })),
    );
    fc.assert(
      fc.property(records, fc.double({ min: 0, max: 1, noNaN: true }), (record, chance) => {
        const corrected = correctChance(chance, fitCorrection("held_chance", record) ?? undefined);
        expect(corrected).toBeGreaterThanOrEqual(0);
        expect(corrected).toBeLessThanOrEqual(1);
      }),
    );
  });
});
