import { DAY } from "@/core/time";

/** Remembers event ids for 24 hours, as Inngest does, and no longer. */
export class SeenIds {
  /** When each id was first seen, oldest first. */
  readonly #seenAt = new Map<string, number>();

  /** Notes the id; false when it was seen within the last 24 hours. */
  add(id: string, now: Date): boolean {
    this.#forget(now.getTime() - DAY);
    if (this.#seenAt.has(id)) return false;
    this.#seenAt.set(id, now.getTime());
    return true;
  }

  #forget(until: number): void {
    for (const [id, seenAt] of this.#seenAt) {
      if (seenAt > until) return;
      this.#seenAt.delete(id);
    }
  }
}
