import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { call, describeFault, parseJson } from "./call";

const LIMITS = { timeoutMs: 5000, maxBytes: 1000 };

describe("call to another service", () => {
  let stop = () => {};
  afterEach(() => stop());

  async function serve(listener: RequestListener): Promise<string> {
    const server = createServer(listener).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    stop = () => {
      server.closeAllConnections();
      server.close();
    };
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it("returns the status, the headers and the unzipped body", async () => {
    const url = await serve((request, response) => {
      response.writeHead(201, { "content-encoding": "gzip", kind: "test" });
      response.end(gzipSync(`${request.method} ${request.headers.authorization}`));
    });
    const answer = await call(url, { ...LIMITS, method: "POST", headers: { authorization: "me" } });
    expect([answer.ok, answer.status, answer.headers.get("kind")]).toEqual([true, 201, "test"]);
    expect(await answer.text()).toBe("POST me");
  });

  it("does not follow a redirect", async () => {
    let calls = 0;
    const url = await serve((_, response) => {
      calls += 1;
      response.writeHead(307, { location: "/elsewhere" }).end();
    });
    expect(await call(url, LIMITS)).toMatchObject({ ok: false, status: 307 });
    expect(calls).toBe(1);
  });

  it("stops reading a body that is too long, zipped or not", async () => {
    const plain = await serve((_, response) => response.end(" ".repeat(100_000)));
    await expect((await call(plain, LIMITS)).text()).rejects.toThrow("longer than 1000 bytes");
    stop();
    const zipped = await serve((_, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(" ".repeat(100_000)));
    });
    await expect((await call(zipped, LIMITS)).text()).rejects.toThrow("longer than 1000 bytes");
  });

  it("times out while waiting for the response and while reading it", async () => {
    const silent = await serve(() => {});
    await expect(call(silent, { ...LIMITS, timeoutMs: 50 })).rejects.toMatchObject({ name: "TimeoutError" });
    stop();
    const slow = await serve((_, response) => void response.write("half"));
    const answer = await call(slow, { ...LIMITS, timeoutMs: 200 });
    await expect(answer.text()).rejects.toMatchObject({ name: "TimeoutError" });
  });

  it.each([false, true])("rejects when the connection is lost while reading (zipped: %s)", async (isZipped) => {
    const url = await serve((_, response) => {
      if (isZipped) response.setHeader("content-encoding", "gzip");
      const body = isZipped ? gzipSync("x".repeat(500)).subarray(0, 15) : "half";
      response.write(body, () => setTimeout(() => response.destroy(), 20));
    });
    const answer = await call(url, LIMITS);
    await expect(answer.text()).rejects.toThrow();
  });

  it("reports a network error by its code, without the address", async () => {
    const url = await serve(() => {});
    stop();
    const error = await call(`${url}/secretsecret`, LIMITS).catch((thrown) => thrown);
    expect(describeFault(error)).toBe("ECONNREFUSED");
    expect(`${error.message} ${error.cause.message}`).not.toContain("secretsecret");
  });

  it("removes secrets from the body", async () => {
    const url = await serve((_, response) => response.end("no such key: secretsecret"));
    const answer = await call(url, { ...LIMITS, secrets: ["secretsecret", "key"] });
    expect(await answer.text()).toBe("no such key: ***");
  });

  it("parses JSON with a schema", () => {
    const schema = z.object({ id: z.string() });
    expect(parseJson('{"id":"1","more":2}', schema)).toEqual({ id: "1" });
    expect(parseJson('{"id":1}', schema)).toBeNull();
    expect(parseJson("<html>", schema)).toBeNull();
  });
});
