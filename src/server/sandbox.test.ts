import { expect, it } from "vitest";
import { SANDBOX_KEY } from "@/features/keys/rules";
import { send } from "@/test/request";
import { useService } from "@/test/service";

const service = useService();
it("works", async () => {
  const t = async (path: string, o: any = {}) => {
    const at = performance.now();
    const a = await send(path, { key: SANDBOX_KEY, ...o }).catch((e) => ({ status: 0, text: String(e), headers: new Headers() }));
    console.log(path, a.status, Math.round(performance.now() - at), a.headers.get("x-sandbox"), a.text.slice(0, 600));
    return a;
  };
  await t("/api/usage");
  await t("/api/usage");
  await t("/api/track?limit=2");
  await t("/api/discover?niche=gaming&limit=2");
  await t("/api/alerts/email", { method: "POST", body: { email: "a@b.co" } });
  await t("/api/alerts?limit=10", { headers: { "X-Test-Clock": "2026-03-14T12:00:00Z" } });
  await t("/api/changes?limit=3");
  await t("/api/track/@ramp/history?format=csv");
  await t("/api/track/@deleted");
  await t("/api/alerts?format=csv");
  await t("/api/alerts?limit=3", { headers: { "X-Test-Clock": "2026-03-13T12:00:00Z" } });
  await t("/api/alerts?limit=3", { headers: { "X-Test-Clock": "2030-01-01T12:00:00Z" } });
  await t("/api/track", { method: "POST", body: { channel_ids: ["@steady", "@deleted", "UCsandbox_ramp0000000000"] } });
  void service;
});
