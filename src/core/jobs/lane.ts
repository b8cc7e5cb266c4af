import type { Cap, Slots, Throttle } from "./limits";

interface Waiting {
  /** In milliseconds since the epoch. */
  readonly due: number;
  readonly run: { readonly over: boolean };
}

/** Waiting jobs that are held up by the same limits, the earliest first. */
export class Lane<T extends Waiting> {
  readonly #jobs: T[] = [];

  constructor(
    readonly caps: readonly Cap[],
    private readonly throttle?: Throttle,
  ) {}

  /** Looks for the place from the end, where almost every job belongs. */
  push(job: T): void {
    const place = this.#jobs.findLastIndex(({ due }) => due <= job.due) + 1;
    this.#jobs.splice(place, 0, job);
  }

  /** When the next job may be taken, were there room; infinity when none waits. Drops what dead runs left. */
  readyAt(): number {
    while (this.#jobs[0]?.run.over) this.#jobs.shift();
    const due = this.#jobs[0]?.due ?? Number.POSITIVE_INFINITY;
    return Math.max(due, this.throttle?.readyAt() ?? due);
  }

  take(now: number): T | undefined {
    this.throttle?.take(now);
    return this.#jobs.shift();
  }
}

/** Takes the job that has been ready the longest from the lanes with room. */
export function takeEarliest<T extends Waiting>(
  lanes: readonly Lane<T>[],
  slots: Slots,
  now: number,
): T | undefined {
  const open = lanes.filter((lane) => lane.readyAt() <= now && slots.hasRoom(lane.caps));
  const [first] = open.sort((a, b) => a.readyAt() - b.readyAt());
  return first?.take(now);
}
