import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { answeredAsNoPage, compressFew, endIfUnread, keepAnswerable, takeInTurn, untilClosed } from "./front";

describe("a connection", () => {
  let begun: string[];
  let open: ServerResponse[];
  let answer: (response: ServerResponse) => void;
  const server = createServer((request, response) =>
    takeInTurn(request, response, () => {
      endIfUnread(request, response);
      begun.push(request.url ?? "");
      open.push(response);
      answer(response);
    }),
  );
  let client: Socket;
  let received: string;

  beforeEach(async () => {
    begun = [];
    open = [];
    answer = () => {};
    received = "";
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    client = connect((server.address() as AddressInfo).port, "127.0.0.1");
    client.on("data", (chunk) => {
      received += chunk;
    });
  });
  afterEach(async () => {
    client.destroy();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  });

  const ask = (...paths: string[]) =>
    client.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(""));

  it("is answered one request after another", async () => {
    ask("/a", "/b", "/c");
    for (const path of ["/a", "/b", "/c"]) {
      await expect.poll(() => begun.at(-1)).toBe(path);
      open.at(-1)?.end(`answer to ${path}`);
    }
    await expect
      .poll(() => received.match(/answer to ../g))
      .toEqual(["answer to /a", "answer to /b", "answer to /c"]);
  });

  it("has the next taken on when the process has turned to whatever else there is", async () => {
    answer = (response) => {
      setImmediate(() => begun.push("else"));
      response.end();
    };
    ask("/a", "/b", "/c");
    await expect.poll(() => begun).toEqual(["/a", "else", "/b", "else", "/c", "else"]);
  });

  it("may ask for 32 at once, again and again, and ends with one more", async () => {
    answer = (response) => void response.end("answer");
    const many = Array.from({ length: 32 }, () => "/a");
    for (const times of [1, 2, 3]) {
      ask(...many);
      await expect.poll(() => received.match(/answer/g), { interval: 1 }).toHaveLength(32 * times);
    }
    const closed = once(client, "close");
    ask(...many, "/a");
    await closed;
  });

  it("that closes has nothing more taken on, and what was at work is told", async () => {
    ask("/a", "/b", "/c");
    await expect.poll(() => begun).toEqual(["/a"]);
    const closed = once(open[0] as ServerResponse, "close");
    client.resetAndDestroy();
    await closed;
    await new Promise((resolve) => server.close(resolve));
    expect(begun).toEqual(["/a"]);
  });

  it("that ends with an answer has nothing more taken on", async () => {
    ask("/a", "/b");
    await expect.poll(() => begun).toEqual(["/a"]);
    const closed = once(client, "close");
    open[0]?.setHeader("Connection", "close").end("answer");
    await closed;
    expect(begun).toEqual(["/a"]);
  });

  it("that is reset is worked for no more, though its work never ends", async () => {
    ask("/a");
    await expect.poll(() => open).toHaveLength(1);
    const [response] = open as [ServerResponse];
    const works = [untilClosed(response, new Promise(() => {}))];
    client.resetAndDestroy();
    await once(response, "close");
    works.push(untilClosed(response, new Promise(() => {})));
    await Promise.all(works);
  });

  it("that is open is worked for until its work ends, one way or the other", async () => {
    ask("/a");
    await expect.poll(() => open).toHaveLength(1);
    const [response] = open as [ServerResponse];
    const works = [Promise.resolve(), Promise.reject(new Error("no such page"))];
    expect(await Promise.allSettled(works.map((work) => untilClosed(response, work)))).toEqual([
      { status: "fulfilled", value: undefined },
      { status: "rejected", reason: new Error("no such page") },
    ]);
  });

  const POST = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n";

  it("stays after an answer to what has come whole", async () => {
    answer = () => {};
    client.write(`${POST}body`);
    await expect.poll(() => open).toHaveLength(1);
    await new Promise(setImmediate);
    open[0]?.end("answer");
    ask("/next");
    await expect.poll(() => begun).toEqual(["/", "/next"]);
    expect(received).toContain("Connection: keep-alive");
  });

  it("says that it ends with an answer to half a request, and lets its client go on sending to read that", async () => {
    answer = (response) => void response.writeHead(413).end("answer");
    const { port } = server.address() as AddressInfo;
    const sender = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    sender.setEncoding("utf8").on("data", (text) => {
      received += text;
    });
    sender.write(`${POST}bo`);
    await once(sender, "end");
    expect(received).toMatch(/Connection: close\r\n.*answer/s);
    const reset = vi.fn();
    sender.on("error", reset).write("d");
    sender.end("y");
    await once(sender, "close");
    expect(reset).not.toHaveBeenCalled();
  });

  it("that asks for too much before it reads is ended", async () => {
    ask(...Array.from({ length: 33 }, (_, at) => `/${at}`));
    await once(client, "close");
    expect(begun).toEqual(["/0"]);
  });
});

describe("a request for a page", () => {
  let seen: IncomingMessage | undefined;
  const server = createServer((request, response) => {
    if (answeredAsNoPage(request, response)) return;
    keepAnswerable(request);
    seen = request;
    response.end();
  });
  let base: string;

  beforeEach(async () => {
    seen = undefined;
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it("tells Next no more of its browser than the name of one takes", async () => {
    await fetch(base, { headers: { "User-Agent": "-".repeat(15_000) } });
    expect(seen?.headers["user-agent"]).toBe("-".repeat(512));
    await fetch(base, { headers: { "User-Agent": "Mozilla/5.0 (X11)" } });
    expect(seen?.headers["user-agent"]).toBe("Mozilla/5.0 (X11)");
  });

  it("may have a hundred parameters and no more", async () => {
    expect((await fetch(`${base}/discover?${"a&".repeat(99)}a`)).status).toBe(200);
    const answer = await fetch(`${base}/discover?${"a&".repeat(100)}a`);
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { error: "The query must not have more than 100 parameters" },
    ]);
  });

  it("that cannot be made tells a browser's reader why in words, and cannot be framed", async () => {
    const headers = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
    const answer = await fetch(`${base}/_next/data`, { headers });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
    expect(answer.headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(await answer.text()).toContain("<p>There is no such path.</p>");
    expect(await (await fetch(`${base}/_next/data`)).json()).toEqual({ error: "There is no such path" });
  });
});

describe("a built file", () => {
  it("is handed out as it is while a hundred are being compressed", async () => {
    const kept: ServerResponse[] = [];
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      compressFew(request, response);
      asked.push(request.headers["accept-encoding"]?.toString());
      kept.push(response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const ask = () => {
      const client = connect(port, "127.0.0.1").on("error", () => {});
      client.write("GET /_next/static/a.js HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n");
      return client;
    };
    const readers = Array.from({ length: 101 }, ask);
    await expect.poll(() => asked).toEqual([...Array(100).fill("gzip"), undefined]);
    const closed = kept.map((response) => once(response, "close"));
    for (const reader of readers) reader.destroy();
    await Promise.all(closed);
    ask();
    await expect.poll(() => asked.at(101)).toBe("gzip");
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});
