import { sum } from "d3-array";
import type { CORRECTED } from "@/db/values";

/** What a chance becomes on the log odds: `intercept + slope * log odds`. */
export interface Correction {
  intercept: number;
  slope: number;
}

/** Chances that were given, and how often what they said came. */
export interface GradedChances {
  /** Mean chance, 0 to 1. */
  chance: number;
  graded: number;
  came: number;
}

export type Corrected = (typeof CORRECTED)[number];
/** Corrections in use. A chance without one stays as it is. */
export type Corrections = Partial<Record<Corrected, Correction>>;

/** Graded outcomes from which a record corrects chances. */
export const MIN_GRADED: Readonly<Record<Corrected, number>> = { chance_7d: 500, chance_28d: 500, held_chance: 200 };

/** Grades that count as one: chances are graded daily, so a creator's weeks share their days. Alerts count whole. */
const OVERLAP: Readonly<Record<Corrected, number>> = { chance_7d: 7, chance_28d: 28, held_chance: 1 };

/** Deviations of the prior, around the chance as it was fitted. docs/score.md has the reason. */
const PRIOR = { intercept: 0.5, slope: 0.25 };
const STEPS = 50;
const NEAR = 1e-9;
/** Chances are rounded to three decimals: none is surer than this. */
const SUREST = 0.0005;

/** Fits a correction to a record by Newton's method, with a prior near none; null below {@link MIN_GRADED} grades. */
export function fitCorrection(kind: Corrected, record: readonly GradedChances[]): Correction | null {
  if (sum(record, ({ graded }) => graded) < MIN_GRADED[kind]) return null;
  const weighed = record.map(({ chance, graded, came }) => ({
    odds: toLogOdds(chance),
    graded: graded / OVERLAP[kind],
    came: came / OVERLAP[kind],
  }));
  let fit: Correction = { intercept: 0, slope: 1 };
  for (let step = 0; step < STEPS; step++) {
    const next = improve(fit, weighed);
    const moved = Math.abs(next.intercept - fit.intercept) + Math.abs(next.slope - fit.slope);
    fit = next;
    if (moved < NEAR) break;
  }
  return fit;
}

/** A chance after a correction, with three decimals; the same without one. */
export function correctChance(chance: number, correction: Correction | undefined): number {
  if (!correction) return chance;
  return Math.round(1000 * toChance(correction.intercept + correction.slope * toLogOdds(chance))) / 1000;
}

interface Weighed {
  odds: number;
  graded: number;
  came: number;
}

/** One step towards the likeliest correction, halved until it is no step back. */
function improve(from: Correction, record: readonly Weighed[]): Correction {
  const errors = record.map(({ odds, graded, came }) => {
    const chance = toChance(from.intercept + from.slope * odds);
    return { odds, error: came - graded * chance, weight: graded * chance * (1 - chance) };
  });
  const [a, b] = [PRIOR.intercept ** -2, PRIOR.slope ** -2];
  const slopes = {
    intercept: sum(errors, ({ error }) => error) - a * from.intercept,
    slope: sum(errors, ({ error, odds }) => error * odds) - b * (from.slope - 1),
  };
  const [ii, is, ss] = [
    a + sum(errors, ({ weight }) => weight),
    sum(errors, ({ weight, odds }) => weight * odds),
    b + sum(errors, ({ weight, odds }) => weight * odds ** 2),
  ];
  const determinant = ii * ss - is ** 2;
  const step = {
    intercept: (ss * slopes.intercept - is * slopes.slope) / determinant,
    slope: (ii * slopes.slope - is * slopes.intercept) / determinant,
  };
  const now = computeLikelihood(from, record);
  for (let size = 1; size > NEAR; size /= 2) {
    const next = { intercept: from.intercept + size * step.intercept, slope: from.slope + size * step.slope };
    if (computeLikelihood(next, record) > now) return next;
  }
  return from;
}

/** The logarithm of the likelihood with the prior, up to a constant. */
function computeLikelihood({ intercept, slope }: Correction, record: readonly Weighed[]): number {
  const prior = (intercept / PRIOR.intercept) ** 2 + ((slope - 1) / PRIOR.slope) ** 2;
  const likelihood = sum(record, ({ odds, graded, came }) => {
    const corrected = intercept + slope * odds;
    return came * corrected - graded * Math.log1p(Math.exp(corrected));
  });
  return likelihood - prior / 2;
}

function toLogOdds(chance: number): number {
  const bounded = Math.min(1 - SUREST, Math.max(SUREST, chance));
  return Math.log(bounded / (1 - bounded));
}

function toChance(odds: number): number {
  return 1 / (1 + Math.exp(-odds));
}
