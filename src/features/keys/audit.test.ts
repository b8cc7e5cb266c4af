import { beforeEach, describe, expect, it } from "vitest";
import { AppError } from "@/core/errors";
import { DAY, HOUR } from "@/core/time";
import { auditLog } from "@/db/schema";
import { createKey, type TestKey, useService } from "@/test/service";
import { audit, listAuditEntries, purgeAuditLog } from "./audit.service";
import { requestRotation } from "./rotation.service";

const COMMAND = { action: "rotated", actor: "operator", source: "command on host" } as const;

describe("the log of a key", () => {
  const service = useService();
  let key: TestKey;
  beforeEach(async () => {
    key = await createKey(service);
  });

  it("has who did what, from where and when, newest first, for this key alone", async () => {
    const other = await createKey(service);
    await audit(service, other.id, COMMAND, async () => {});
    const at = service.clock.now();
    expect(await audit(service, key.id, COMMAND, async () => "result")).toBe("result");
    service.clock.advance(HOUR);
    const signIn = { action: "signed_in", actor: "owner", source: "192.0.2.7" } as const;
    await audit(service, key.id, signIn, async () => {});
    expect(await listAuditEntries(service, key.id, 10)).toEqual([
      { ...signIn, at: service.clock.now(), outcome: "done" },
      { ...COMMAND, at, outcome: "done" },
    ]);
    expect(await listAuditEntries(service, key.id, 1)).toHaveLength(1);
  });

  it("has refused work with its reason, and none that broke or concerns no key", async () => {
    const fail = (error: Error) => audit(service, key.id, COMMAND, () => Promise.reject(error)).catch(() => {});
    await fail(new AppError("invalid_request", "The key is revoked"));
    await fail(new Error("a bug"));
    await audit(service, "key_nobody", COMMAND, async () => {});
    expect(await listAuditEntries(service, key.id, 10)).toMatchObject([{ outcome: "The key is revoked" }]);
    expect(await listAuditEntries(service, "key_nobody", 10)).toEqual([]);
  });

  it("keeps entries for 90 days", async () => {
    await service.db.delete(auditLog);
    await audit(service, key.id, COMMAND, async () => {});
    service.clock.advance(90 * DAY);
    await purgeAuditLog(service);
    expect(await service.db.$count(auditLog)).toBe(1);
    service.clock.advance(1);
    await purgeAuditLog(service);
    expect(await service.db.$count(auditLog)).toBe(0);
  });

  it("lets an owner request a rotation once a day, and again when the channel refused it", async () => {
    const notices: string[] = [];
    const accepting = { ...service, monitoring: { notify: async (text: string) => void notices.push(text) } };
    const refusing = { ...service, monitoring: { notify: () => Promise.reject(new Error("down")) } };
    const owner = { id: key.id, label: "Acme" };
    await expect(requestRotation(refusing, owner)).rejects.toMatchObject({ code: "unavailable" });
    await requestRotation(accepting, owner);
    expect(notices).toEqual([expect.stringContaining(`npm run keys -- rotate ${key.id}`)]);
    await expect(requestRotation(accepting, owner)).rejects.toMatchObject({ code: "too_many_attempts" });
    service.clock.advance(DAY);
    await requestRotation(accepting, owner);
    expect(notices).toHaveLength(2);
  });
});
