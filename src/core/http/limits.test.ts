import { pino } from "pino";
import { beforeEach, describe, expect, it } from "vitest";
import { createLog } from "@/core/log/log";
import { createMetrics, type Metrics } from "@/core/log/metrics";
import { createLimits, type Limits, type RequestKind } from "./limits";

const isWanted = () => true;
const BUSY = { code: "busy", status: 503, retryAfter: 1, message: "The service is busy. Try again." };

describe("limits of requests under way", () => {
  let metrics: Metrics;
  let limits: Limits;
  let release: () => void;
  let begun: number;

  beforeEach(() => {
    metrics = createMetrics();
    limits = createLimits(createLog({ level: "silent" }), metrics);
    begun = 0;
  });

  /** Starts requests that stay until they are released. */
  function hold(kind: RequestKind, count: number, address = "192.0.2.1", wanted = isWanted): Promise<unknown>[] {
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const work = () => {
      begun += 1;
      return released;
    };
    return Array.from({ length: count }, () => limits.run(kind, address, wanted, work));
  }

  it.each([
    ["api", 512, 256],
    ["page", 128, 32],
    ["file", 256, 128],
  ] as const)("let %s requests reach %i in all and %i for one address", async (kind, total, perAddress) => {
    for (let at = 1; at <= total / perAddress; at++) {
      hold(kind, perAddress, `192.0.2.${at}`);
      await expect(limits.run(kind, `192.0.2.${at}`, isWanted, async () => {})).rejects.toMatchObject(BUSY);
    }
    expect(limits.countUnderWay(kind)).toBe(total);
    await expect(limits.run(kind, "192.0.2.99", isWanted, async () => {})).rejects.toMatchObject(BUSY);
    expect(await metrics.render([])).toContain(`growth_http_refusals_total{kind="${kind}"} ${total / perAddress + 1}`);
  });

  it("count an IPv6 client by its /64", async () => {
    hold("page", 32, "2001:db8::1");
    await expect(limits.run("page", "2001:db8::2", isWanted, async () => {})).rejects.toMatchObject(BUSY);
    expect(hold("page", 1, "2001:db8:0:1::1")).toHaveLength(1);
    expect(limits.countUnderWay("page")).toBe(33);
  });

  it("leave the API its places while pages are at their limit", async () => {
    for (let at = 1; at <= 4; at++) hold("page", 32, `192.0.2.${at}`);
    expect(await limits.run("api", "192.0.2.1", isWanted, async () => "served")).toBe("served");
  });

  it("run four pages at once, then the others in their order", async () => {
    const held = hold("page", 6);
    await expect.poll(() => begun).toBe(4);
    release();
    await Promise.all(held);
    expect(begun).toBe(6);
    expect(limits.countUnderWay("page")).toBe(0);
  });

  it("never begin work whose client has gone before its turn", async () => {
    const running = hold("page", 4);
    const end = release;
    const gone = hold("page", 2, "192.0.2.2", () => false);
    end();
    await Promise.all(running);
    for (const work of gone) await expect(work).rejects.toMatchObject(BUSY);
    expect(begun).toBe(4);
    expect(limits.countUnderWay("page")).toBe(0);
  });

  it("free a place when its work fails", async () => {
    const fail = () => limits.run("page", "192.0.2.1", isWanted, () => Promise.reject(new Error("failed")));
    for (let at = 0; at < 40; at++) await expect(fail()).rejects.toThrow("failed");
    expect(limits.countUnderWay("page")).toBe(0);
  });

  it("log the refused requests of a second in one line", async () => {
    const lines: object[] = [];
    const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    limits = createLimits(log, metrics);
    for (const work of hold("page", 35)) work.catch(() => {});
    limits.recordRefusal("connection");
    await expect.poll(() => lines, { timeout: 5000 }).toHaveLength(1);
    expect(lines[0]).toMatchObject({ refused: { page: 3, connection: 1 }, level: 40 });
  });
});
