import { describe, expect, it } from "vitest";
import { createLog } from "@/core/log/log";
import { serveAnswers } from "@/test/answering-server";
import { openLane } from "./lane";

describe("the lane", () => {
  it("leaves responses what they are to whoever makes or is given one", async () => {
    const Platform = Response;
    const server = await serveAnswers({ "/": { status: 201, body: "made", headers: { kind: "other" } } });
    await openLane(createLog({ level: "silent" }));
    expect(Response).not.toBe(Platform);
    const given = await fetch(server.url);
    const made = Response.json({ own: true }, { status: 202 });
    for (const response of [given, made, new Response("text")]) {
      expect(response).toBeInstanceOf(Response);
      expect(response).toBeInstanceOf(Platform);
    }
    expect({}).not.toBeInstanceOf(Response);
    for (const [from, status, kind] of [
      [given, 201, "other"],
      [made, 202, null],
    ] as const) {
      const again = new Response(await from.text(), from);
      expect([again.status, again.headers.get("kind")]).toEqual([status, kind]);
    }
    const bounded = await fetch(server.url);
    expect([bounded.status, await bounded.text()]).toEqual([201, "made"]);
    await server.close();
  });
});
