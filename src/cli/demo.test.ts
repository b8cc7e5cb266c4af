import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { authenticate } from "@/features/keys/service";
import { createKey, useService } from "@/test/service";
import { openDemoKey, retireDemo } from "./demo";

describe("the demo key", () => {
  const service = useService();
  const getKeyFile = () => path.join(service.env.dataDir, "demo-key");

  it("is revoked in production with one line, keeps its file, and works again in development", async () => {
    const [demo, other] = [await openDemoKey(service.env, service), await createKey(service)];
    const warnings = vi.spyOn(service.log, "warn");
    for (const _ of ["first start", "second start"]) await retireDemo(service.env, service);
    const said = "revoked the demo key, which `npm run dev` makes valid again";
    expect(warnings.mock.calls).toEqual([[{ keyId: demo.id, file: getKeyFile() }, said]]);
    warnings.mockRestore();
    await expect(authenticate(service, demo.secret)).rejects.toMatchObject({ code: "unauthorized" });
    expect(existsSync(getKeyFile())).toBe(true);
    expect(await authenticate(service, other.secret)).toMatchObject({ id: other.id });
    expect(await openDemoKey(service.env, service)).toEqual(demo);
    expect(await authenticate(service, demo.secret)).toMatchObject({ id: demo.id });
  });

  it("is left alone in production when it is not in this database, and replaced in development", async () => {
    await writeFile(getKeyFile(), "cg_of_another_database");
    await retireDemo(service.env, service);
    expect(existsSync(getKeyFile())).toBe(true);
    const { id, secret } = await openDemoKey(service.env, service);
    expect(await authenticate(service, secret)).toMatchObject({ id });
  });
});
