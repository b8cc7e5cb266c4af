import { expect, it } from "vitest";
import { createSessionSealer, type Session } from "./seal.rules";

const [OLD, NEW] = ["a".repeat(40), "b".repeat(40)];
const SESSION: Session = {
  id: "5f0c1f4e-6a52-4d1c-9c59-4a2f0f3f3a11",
  keyId: "key_1",
  stamp: "0123456789abcdef",
  begunAt: 1,
  seenAt: 2,
};

it("opens a session that an older secret sealed, until that secret is removed", async () => {
  const sealed = await createSessionSealer(OLD).seal(SESSION);
  const rotated = createSessionSealer(NEW, OLD);
  expect(await rotated.open(sealed)).toEqual(SESSION);
  expect(await createSessionSealer(NEW).open(await rotated.seal(SESSION))).toEqual(SESSION);
  expect(await createSessionSealer(NEW).open(sealed)).toBeNull();
});
