import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, createServer as createSocketServer, type Server as SocketServer } from "node:net";
import { Worker } from "node:worker_threads";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { MINUTE, SECOND } from "@/core/time";
import { answerUnzippable } from "@/test/answering-server";
import { boundedFetch, patientTimeout } from "./bounded-fetch";

describe("a bounded fetch", () => {
  let server: Server | undefined;
  let sayer: SocketServer | undefined;
  const serve = async (answer: RequestListener) => {
    const opened = createServer(answer);
    server = opened;
    await new Promise<void>((resolve) => opened.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(opened.address() as AddressInfo).port}`;
  };
  /** Serves an answer byte by byte, and ends the connection. */
  const say = async (answer: string | Buffer, isReset = false) => {
    sayer = createSocketServer((socket) => {
      const leave = () => void (isReset && socket.resetAndDestroy());
      socket.on("error", () => {}).once("data", () => socket.end(Buffer.from(answer), leave));
    });
    await new Promise<void>((resolve) => sayer?.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(sayer.address() as AddressInfo).port}`;
  };
  afterEach(() => {
    sayer?.close();
    server?.close();
    server?.closeAllConnections();
  });

  it.each([
    [201, "made"],
    [204, ""],
    [500, "x".repeat(100)],
  ])("hands on what is short: %d", async (status, body) => {
    const url = await serve((request, response) => {
      response.writeHead(status, { asked: request.method }).end(body);
    });
    const answer = await boundedFetch(MINUTE, 100)(url, { method: "POST" });
    expect([answer.status, answer.headers.get("asked"), await answer.text()]).toEqual([status, "POST", body]);
  });

  it.each([
    ["200 \u6210\u529f", 200],
    ["200 Sch\u00f6n", 200],
    ["799 Beyond", 599],
  ])("hands on what is said in odd words: %s", async (line, status) => {
    const url = await say(`HTTP/1.1 ${line}\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok`);
    const answer = await boundedFetch(MINUTE, 100)(url);
    expect([answer.status, await answer.text()]).toEqual([status, "ok"]);
  });

  it.each([1, 6, 100])(
    "fails, and nothing else does, where %d codings are named and the body ends too soon",
    async (count) => {
      const codings = Array.from({ length: count }, () => "gzip").join(", ");
      const url = await say(
        `HTTP/1.1 503 Away\r\nContent-Encoding: ${codings}\r\nContent-Length: 100\r\n\r\nxx`,
      );
      const read = async () => (await boundedFetch(MINUTE, 100)(url)).text();
      await expect(read()).rejects.toThrow();
    },
  );

  it.each(["FIN", "RST"])(
    "reads whole, or fails alone, what is zipped and ends with its connection by %s",
    async (end) => {
      // Words of chance, so that it stays long.
      const words = Array.from({ length: 10_000 }, () => randomUUID()).join();
      const head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n";
      const url = await say(Buffer.concat([Buffer.from(head), gzipSync(words)]), end === "RST");
      const read = async () => (await boundedFetch(MINUTE, words.length)(url)).text();
      const reads = await Promise.allSettled([read(), read(), read(), read()]);
      for (const outcome of reads)
        if (end === "FIN") expect(outcome).toEqual({ status: "fulfilled", value: words });
        else if (outcome.status === "fulfilled") expect(outcome.value).toBe(words);
    },
  );

  it("unzips no more than may be read", async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { "Content-Encoding": "gzip" }).end(gzipSync("x".repeat(1_000_000)));
    });
    const answer = await boundedFetch(MINUTE, 100_000)(url);
    await expect(answer.text()).rejects.toThrow("the answer is longer than 100000 bytes");
  });

  it("fails at once on what cannot be unzipped", async () => {
    const url = await serve((_request, response) => answerUnzippable(response));
    const answer = await boundedFetch(MINUTE, 100)(url);
    await expect(answer.text()).rejects.toMatchObject({ cause: { code: "Z_DATA_ERROR" } });
  });

  it("stops reading what is long", async () => {
    let left: () => void;
    const hasLeft = new Promise<void>((resolve) => {
      left = resolve;
    });
    const url = await serve((_request, response) => {
      response.once("close", () => left());
      const goOn = () => {
        while (response.writable && response.write("x".repeat(10_000)));
      };
      response.on("drain", goOn);
      goOn();
    });
    const answer = await boundedFetch(MINUTE, 100_000)(url);
    await expect(answer.text()).rejects.toThrow("the answer is longer than 100000 bytes");
    await hasLeft;
  });

  it.each([
    ["comes", () => {}],
    ["goes on", (_request, response) => void response.write("x")],
  ] as [string, RequestListener][])("waits no longer where nothing %s", async (_, answer) => {
    const url = await serve(answer);
    const read = async () => (await boundedFetch(50, 100)(url)).text();
    await expect(read()).rejects.toMatchObject({ name: "TimeoutError" });
  });

  it("reads nothing of what was sent to prove who asks, at whatever place of the answer", async () => {
    const url = await serve((request, response) => {
      const { authorization, "x-goog-api-key": key } = request.headers;
      response.end(`${request.url} ü ${authorization} ${key}|${key}`);
    });
    const fetch = boundedFetch(MINUTE, 1000, { secrets: ["of-the-address"] });
    const headers = { Authorization: "Bearer of-the-header", "X-Goog-Api-Key": "of-the-platform" };
    const answer = await fetch(`${url}/e/of-the-address`, { headers });
    expect(await answer.text()).toBe("/e/*** ü Bearer *** ***|***");
  });

  it("reads nothing of it that JSON hides, and all else as it is", async () => {
    const escaped = (text: string) =>
      [...text].map((letter) => `\\u00${letter.charCodeAt(0).toString(16)}`).join("");
    const told = '"a \\" \\\\u0041 \\u00e9 \\n"';
    const url = await serve((request, response) => {
      const token = request.headers.authorization?.slice("Bearer ".length) ?? "";
      const forms = [escaped(token), token.replaceAll("/", "\\/"), token.replace("/", "\\u0000/")];
      response.end(`[${told},"${forms.join('","')}"]`);
    });
    const headers = { Authorization: "Bearer of/the+header" };
    const answer = await boundedFetch(MINUTE, 1000)(url, { headers });
    expect(await answer.json()).toEqual([JSON.parse(told), "***", "***", "***"]);
  });

  it("is not answered by what the server says late to an earlier one", async () => {
    let asked = 0;
    sayer = createSocketServer((socket) => {
      let late = "";
      socket
        .on("error", () => {})
        .on("data", () => {
          asked += 1;
          const answer = `HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n${asked}`;
          socket.write(late + answer);
          late = answer;
        });
    });
    const opened = sayer;
    await new Promise<void>((resolve) => opened.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(opened.address() as AddressInfo).port}`;
    const answers: string[] = [];
    for (let call = 0; call < 3; call++) answers.push(await (await boundedFetch(MINUTE, 100)(url)).text());
    expect(answers).toEqual(["1", "2", "3"]);
  });

  it("reads what had come in time where the process was halted meanwhile, if it is to", async () => {
    const far = new Worker(
      `const { createServer } = require("node:http");
       const { parentPort } = require("node:worker_threads");
       const server = createServer((_request, response) => {
         setTimeout(() => response.end("in time"), 50);
         parentPort.postMessage("asked");
       });
       server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));`,
      { eval: true },
    );
    const [port] = await once(far, "message");
    const asked = boundedFetch(SECOND, 100, { timeout: patientTimeout })(`http://127.0.0.1:${port}`);
    await once(far, "message");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1200);
    expect(await (await asked).text()).toBe("in time");
    await far.terminate();
  });

  it("sends nothing of what is wanted no more by the time its connection stands", async () => {
    let heard = "";
    let leave: () => void;
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    sayer = createSocketServer((socket) => {
      socket.on("data", (bytes) => {
        heard += bytes;
      });
      socket.on("error", () => {}).once("close", () => leave());
    });
    const opened = sayer;
    await new Promise<void>((resolve) => opened.listen(0, "127.0.0.1", resolve));
    const connected = once(opened, "connection");
    const beforeSending = () => {
      throw new Error("wanted no more");
    };
    const url = `http://127.0.0.1:${(opened.address() as AddressInfo).port}`;
    const asked = boundedFetch(MINUTE, 100, { beforeSending })(url, { method: "POST", body: "a mail" });
    await expect(asked).rejects.toThrow("wanted no more");
    await connected;
    await left;
    expect(heard).toBe("");
  });

  it("asks whether it is still wanted once its connection is secured, not before", async () => {
    sayer = createSocketServer(
      (socket) => void socket.on("error", () => {}).once("data", () => socket.end()),
    );
    const opened = sayer;
    await new Promise<void>((resolve) => opened.listen(0, "127.0.0.1", resolve));
    let asked = 0;
    const beforeSending = () => {
      asked += 1;
    };
    const { port } = opened.address() as AddressInfo;
    const call = (scheme: string) =>
      boundedFetch(MINUTE, 100, { beforeSending })(`${scheme}://127.0.0.1:${port}`);
    await expect(call("https")).rejects.toThrow("there was no answer");
    expect(asked).toBe(0);
    await expect(call("http")).rejects.toThrow("there was no answer");
    expect(asked).toBe(1);
  });

  it("ends where its caller ends it", async () => {
    const url = await serve(() => {});
    const asked = boundedFetch(MINUTE, 100)(url, { signal: AbortSignal.abort() });
    await expect(asked).rejects.toMatchObject({ name: "AbortError" });
  });
});
