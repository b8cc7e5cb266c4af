import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import type { RequestEntry } from "@/features/usage/schema";
import { toCurl } from "./request-table";

const entry: RequestEntry = {
  request_id: "req_1",
  at: "2026-03-10T12:00:00.000Z",
  method: "GET",
  path: "/api/usage",
  query: "",
  status: 200,
  milliseconds: 1,
};
const bodies = { "POST /api/track": '{"channel_id":"<channel_id>"}' };
const site = { appUrl: "https://growth.test", bodies };

/** The words that a shell makes of a command, with `curl` as one that prints them. */
function splitArgs(command: string): string[] {
  const script = `API_KEY=cg_mine; curl() { printf '%s\\n' "$@"; }; ${command}`;
  return execFileSync("sh", ["-c", script]).toString().trim().split("\n");
}

describe("toCurl", () => {
  it.each<[Partial<RequestEntry>, string[]]>([
    [{ path: "/api/alerts", query: "limit=5&offset=10" }, ["https://growth.test/api/alerts?limit=5&offset=10"]],
    [{ method: "HEAD" }, ["--head", "https://growth.test/api/usage"]],
    [{ method: "DELETE", path: "/api/track/UC1" }, ["-X", "DELETE", "https://growth.test/api/track/UC1"]],
    [{ method: "POST", path: "/api/usage" }, ["-X", "POST", "https://growth.test/api/usage"]],
    [{ path: "/api/it's/$HOME/`id`" }, ["https://growth.test/api/it%27s/$HOME/`id`"]],
    [{ path: "/api/[1-9]/{a,b}" }, ["https://growth.test/api/%5B1-9%5D/%7Ba,b%7D"]],
  ])("repeats exactly the request %j with the reader's key", (change, words) => {
    expect(splitArgs(toCurl({ ...entry, ...change }, site))).toEqual([...words, "-H", "X-API-Key: cg_mine"]);
  });

  it("shows the form of a body, which is not stored", () => {
    expect(splitArgs(toCurl({ ...entry, method: "POST", path: "/api/track" }, site))).toEqual([
      "https://growth.test/api/track",
      "-H",
      "X-API-Key: cg_mine",
      "-H",
      "Content-Type: application/json",
      "-d",
      '{"channel_id":"<channel_id>"}',
    ]);
  });
});
