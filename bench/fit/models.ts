import { sum } from "d3-array";
import { findSegment, type Measures, type Term } from "@/features/growth/calibration.rules";

/** A term without values, and how strongly neighbouring values are drawn together. */
export interface TermForm extends Pick<Term, "of" | "at"> {
  smoothness: number;
}

/** Weight, in channel-days, that draws each value of a term to 0. */
const PRIOR = 5;
/** Draws the first term to 0 only enough to have one solution, because it carries the level. */
const FREE_PRIOR = 0.1;
const MAX_ROUNDS = 40;
/** Largest change of a value in one round of the logistic fit. */
const MAX_CHANGE = 3;
/** A fit ends when no value changes by more. */
const DONE = 1e-4;
/** Distance from a quantile below which its corner is rounded, in the first round and at the end. */
const CORNER = { first: 1, last: 0.02, shrink: 0.75 };

/** What is known of channels, as a sparse matrix: of each row, the values that add up, and their weights. */
interface Design {
  starts: Int32Array;
  values: Int32Array;
  weights: Float64Array;
  /** Draws values to 0 and to their neighbours: the lower half of a symmetric matrix, `size` by `size`. */
  penalty: Float64Array;
  size: number;
}

/** Prepares fits of the same terms to the same channels. */
export function createDesign(forms: readonly TermForm[], rows: readonly Measures[]): Design {
  const offsets = forms.map((_, index) => sum(forms.slice(0, index), countValues));
  const size = sum(forms, countValues);
  const [starts, values, weights] = [new Int32Array(rows.length + 1), [] as number[], [] as number[]];
  rows.forEach((measures, row) => {
    forms.forEach((form, index) => {
      for (const [corner, weight] of listCorners(form, measures)) {
        values.push((offsets[index] ?? 0) + corner);
        weights.push(weight);
      }
    });
    starts[row + 1] = values.length;
  });
  const penalty = new Float64Array(size * size);
  for (const [index, form] of forms.entries()) addPenalty(penalty, size, form, offsets[index] ?? 0);
  return { starts, values: Int32Array.from(values), weights: Float64Array.from(weights), penalty, size };
}

/** The values that a term takes part of, by index, with their weights, which add up to 1. None if a measure is unknown. */
function listCorners({ of, at }: TermForm, measures: Measures): [index: number, weight: number][] {
  let corners: [number, number][] = [[0, 1]];
  of.forEach((name, axis) => {
    const points = at[axis] ?? [];
    const x = measures[name];
    const [below, above, share] = x === null ? [0, 0, Number.NaN] : findSegment(points, x);
    corners = corners.flatMap(([index, weight]): [number, number][] => {
      const start = index * points.length;
      if (Number.isNaN(share)) return [];
      return share === 0
        ? [[start + below, weight]]
        : [
            [start + below, weight * (1 - share)],
            [start + above, weight * share],
          ];
    });
  });
  return corners;
}

function countValues({ at }: TermForm): number {
  return at.reduce((count, points) => count * points.length, 1);
}

function addPenalty(penalty: Float64Array, size: number, form: TermForm, offset: number): void {
  const count = countValues(form);
  for (let value = offset; value < offset + count; value++)
    add(penalty, value * size + value, offset === 0 ? FREE_PRIOR : PRIOR);
  // Neighbours by the first measure.
  const step = count / (form.at[0]?.length ?? count);
  for (let value = offset; value < offset + count - step; value++) {
    const next = value + step;
    add(penalty, value * size + value, form.smoothness);
    add(penalty, next * size + next, form.smoothness);
    add(penalty, next * size + value, -form.smoothness);
  }
}

/** Logistic regression by Newton's method. @returns the values of all terms, one after another */
export function fitLogistic(design: Design, hits: readonly boolean[], weights: readonly number[]): Float64Array {
  let values: Float64Array = new Float64Array(design.size);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const pull = new Float64Array(hits.length);
    const bend = new Float64Array(hits.length);
    forEachSum(design, values, (row, odds) => {
      const [chance, weight] = [1 / (1 + Math.exp(-odds)), weights[row] ?? 0];
      bend[row] = weight * chance * (1 - chance);
      pull[row] = weight * (Number(hits[row]) - chance) + (bend[row] ?? 0) * odds;
    });
    const next = solve(design, bend, pull);
    const change = next.map((value, index) => value - (values[index] ?? 0));
    const largest = Math.max(...change.map(Math.abs));
    const step = Math.min(1, MAX_CHANGE / largest);
    values = values.map((value, index) => value + step * (change[index] ?? 0));
    if (largest < DONE) break;
  }
  return values;
}

/**
 * Quantile regression by reweighted least squares.
 * @param quantile share of the targets that lie below @returns the values of all terms, one after another
 */
export function fitQuantile(design: Design, targets: readonly number[], weights: readonly number[], quantile: number) {
  let values: Float64Array = new Float64Array(design.size);
  let corner = CORNER.first;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const pull = new Float64Array(targets.length);
    const bend = new Float64Array(targets.length);
    forEachSum(design, values, (row, predicted) => {
      const [target, weight] = [targets[row] ?? 0, weights[row] ?? 0];
      bend[row] = weight / (2 * (corner + Math.abs(target - predicted)));
      pull[row] = (bend[row] ?? 0) * target + weight * (quantile - 0.5);
    });
    const next = solve(design, bend, pull);
    const change = Math.max(...next.map((value, index) => Math.abs(value - (values[index] ?? 0))));
    values = next;
    if (corner === CORNER.last && change < 0.01) break;
    corner = Math.max(CORNER.last, corner * CORNER.shrink);
  }
  return values;
}

/** Terms with the values of a fit, with three decimals. */
export function toTerms(forms: readonly TermForm[], values: Float64Array): Term[] {
  let from = 0;
  return forms.map((form) => {
    const to = from + countValues(form);
    const own = Array.from(values.subarray(from, to), (value) => Math.round(1000 * value) / 1000 + 0);
    from = to;
    const at = form.at.map((points) => points.map((point) => Math.round(1e5 * point) / 1e5));
    return { of: form.of, at, values: own };
  });
}

function forEachSum(design: Design, values: Float64Array, see: (row: number, total: number) => void): void {
  for (let row = 0; row + 1 < design.starts.length; row++) {
    let total = 0;
    const end = design.starts[row + 1] ?? 0;
    for (let at = design.starts[row] ?? 0; at < end; at++)
      total += (design.weights[at] ?? 0) * (values[design.values[at] ?? 0] ?? 0);
    see(row, total);
  }
}

/** The values of least weighted squares: `bend` weighs the rows, `pull` is their weighted target. */
function solve(design: Design, bend: Float64Array, pull: Float64Array): Float64Array {
  const { starts, values, weights, penalty, size } = design;
  const [matrix, right] = [penalty.slice(), new Float64Array(size)];
  for (let row = 0; row + 1 < starts.length; row++) {
    const end = starts[row + 1] ?? 0;
    for (let one = starts[row] ?? 0; one < end; one++) {
      const [at, weight] = [values[one] ?? 0, weights[one] ?? 0];
      add(right, at, weight * (pull[row] ?? 0));
      const scaled = weight * (bend[row] ?? 0);
      for (let other = starts[row] ?? 0; other <= one; other++)
        add(matrix, at * size + (values[other] ?? 0), scaled * (weights[other] ?? 0));
    }
  }
  return solveCholesky(matrix, right, size);
}

/** Solves a symmetric positive system, of which the lower half is read. */
function solveCholesky(matrix: Float64Array, right: Float64Array, size: number): Float64Array {
  const get = (row: number, column: number) => matrix[row * size + column] ?? 0;
  for (let column = 0; column < size; column++)
    for (let row = column; row < size; row++) {
      let left = get(row, column);
      for (let at = 0; at < column; at++) left -= get(row, at) * get(column, at);
      matrix[row * size + column] = row === column ? Math.sqrt(left) : left / get(column, column);
    }
  const solution = right.slice();
  for (let row = 0; row < size; row++) {
    for (let at = 0; at < row; at++) add(solution, row, -get(row, at) * (solution[at] ?? 0));
    solution[row] = (solution[row] ?? 0) / get(row, row);
  }
  for (let row = size - 1; row >= 0; row--) {
    for (let at = row + 1; at < size; at++) add(solution, row, -get(at, row) * (solution[at] ?? 0));
    solution[row] = (solution[row] ?? 0) / get(row, row);
  }
  return solution;
}

function add(numbers: Float64Array, at: number, value: number): void {
  numbers[at] = (numbers[at] ?? 0) + value;
}
