import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { authenticate } from "@/features/keys/service";
import { getAlertEmail, setAlertEmail } from "@/features/notifications/addresses.service";
import { createKey, type TestKey, useService } from "@/test/service";
import { retireDemo } from "./demo";

describe("retireDemo", () => {
  const service = useService();

  /** Writes the files that development leaves in the data folder. */
  async function startDemo(key: Pick<TestKey, "secret">): Promise<string[]> {
    const files = ["demo-key", "demo-done"].map((name) => path.join(service.env.dataDir, name));
    for (const file of files) await writeFile(file, `${key.secret}\n`);
    return files;
  }

  it("revokes the demo key, clears its address, logs one line and leaves other keys alone", async () => {
    const [demo, other] = [await createKey(service, "pro"), await createKey(service)];
    for (const { id } of [demo, other]) await setAlertEmail(service, id, "you@example.com");
    const files = await startDemo(demo);
    const warnings = vi.spyOn(service.log, "warn");
    for (const _ of ["first start", "second start"]) await retireDemo(service.env, service);
    expect(warnings.mock.calls).toEqual([[{ keyId: demo.id }, "revoked the demo key"]]);
    warnings.mockRestore();
    await expect(authenticate(service, demo.secret)).rejects.toMatchObject({ code: "unauthorized" });
    expect(await getAlertEmail(service, demo.id)).toBeNull();
    expect(files.filter(existsSync)).toEqual([]);
    expect(await authenticate(service, other.secret)).toMatchObject({ id: other.id });
    expect(await getAlertEmail(service, other.id)).toBe("you@example.com");
  });

  it("keeps the files of a demo key that is not in this database", async () => {
    const files = await startDemo({ secret: "cg_of_another_database" });
    await retireDemo(service.env, service);
    expect(files.filter(existsSync)).toEqual(files);
  });
});
