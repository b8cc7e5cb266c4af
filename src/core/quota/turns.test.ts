import { describe, expect, it, vi } from "vitest";
import { createTurns } from "@/core/quota/turns";

describe("turns", () => {
  it("come in the order in which they are asked for, and so many at once", async () => {
    const turns = createTurns(2);
    const came: number[] = [];
    const [first, , third] = [1, 2, 3, 4].map(async (number) => {
      const end = await turns.take("key");
      came.push(number);
      return end;
    });
    const endFirst = await first;
    expect(came).toEqual([1, 2]);
    endFirst?.();
    const endThird = await third;
    expect(came).toEqual([1, 2, 3]);
    endThird?.();
    await vi.waitFor(() => expect(came).toEqual([1, 2, 3, 4]));
  });

  it("are taken until one ends, of one key and not of another", async () => {
    const turns = createTurns(2);
    const [end] = [await turns.take("key"), await turns.take("key")];
    expect(turns.areTaken("key")).toBe(true);
    expect(turns.areTaken("other")).toBe(false);
    (await turns.take("other"))();
    end();
    expect(turns.areTaken("key")).toBe(false);
  });
});
