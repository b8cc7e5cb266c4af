import { expect, it } from "vitest";
import { describeInitdbFailure } from "./cluster";

it("names the user id that has no name on the machine, and what to do", () => {
  const log = "initdb: error: could not look up effective user ID 12345: user does not exist";
  expect(describeInitdbFailure(log)).toMatch(/^PostgreSQL needs .* user id 12345 .* \/etc\/passwd.*DATABASE_URL$/);
  expect(describeInitdbFailure("no space left")).toBe("initdb failed: no space left");
});
