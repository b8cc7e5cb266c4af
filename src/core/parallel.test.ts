import { expect, it } from "vitest";
import { shareWork } from "./parallel";

it("runs shared work once for callers at the same time, and again for later ones", async () => {
  let runs = 0;
  const work = shareWork(async (_: object) => {
    runs += 1;
    await Promise.resolve();
    if (runs === 2) throw new Error("failed");
    return runs;
  });
  const [shared, other] = [{}, {}];
  expect(await Promise.all([work(shared), work(shared), work(shared)])).toEqual([1, 1, 1]);
  const failing = [work(shared), work(shared)];
  for (const failed of failing) await expect(failed).rejects.toThrow("failed");
  expect(await Promise.all([work(shared), work(other)])).toEqual([4, 4]);
});
