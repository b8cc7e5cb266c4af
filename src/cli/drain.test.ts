import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { HOUR } from "@/core/time";
import { type Draining, prepareDrain } from "./drain";

describe("a server that is told to stop", () => {
  let server: Server;
  let port: number;
  let client: Socket;
  let received: string;

  /** A server and a connection to it. */
  async function open(lastCallMs: number, answer = "answer\n"): Promise<Draining> {
    received = "";
    server = createServer((_request, response) => void response.end(answer));
    const draining = prepareDrain(server, lastCallMs);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    ({ port } = server.address() as AddressInfo);
    client = connect(port, "127.0.0.1");
    client.on("data", (chunk) => {
      received += chunk;
    });
    await once(server, "connection");
    return draining;
  }
  afterEach(() => client.destroy());

  const answers = () => received.match(/^(HTTP.*|Connection: .*)$/gm);
  const ask = () => client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  const KEPT = ["HTTP/1.1 200 OK", "Connection: keep-alive"];

  it("answers what is asked on a connection that stands, and ends it with that", async () => {
    const { drain } = await open(HOUR);
    ask();
    await expect.poll(answers).toEqual(KEPT);
    const drained = drain();
    ask();
    await drained;
    await expect.poll(answers).toEqual([...KEPT, "HTTP/1.1 200 OK", "Connection: close"]);
  });

  it("takes no new connection once those that were made are accepted", async () => {
    const { drain } = await open(HOUR);
    const drained = drain();
    await expect.poll(() => server.listening).toBe(false);
    await expect(once(connect(port, "127.0.0.1"), "connect")).rejects.toMatchObject({ code: "ECONNREFUSED" });
    client.destroy();
    await drained;
  });

  it("ends a connection on which nothing more is asked", async () => {
    const { drain } = await open(1);
    ask();
    await expect.poll(answers).toEqual(KEPT);
    await drain();
  });

  it.each(["", "GET / HT"])("ends a connection on which nothing was asked yet: %j", async (begun) => {
    const { drain } = await open(1);
    client.write(begun);
    await drain();
    expect(received).toBe("");
  });

  it("answers everybody who had connected and asked before it, accepted or not, however long that takes", async () => {
    const { drain } = await open(1);
    const clients = Array.from({ length: 60 }, () => connect(port, "127.0.0.1"));
    const answered = clients.map(async (one) => {
      one.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
      const [chunk] = await once(one, "data");
      return String(chunk).slice(9, 12);
    });
    await Promise.all(clients.map((one) => once(one, "connect")));
    const drained = drain();
    expect(await Promise.all(answered)).toEqual(clients.map(() => "200"));
    for (const one of [client, ...clients]) one.destroy();
    await drained;
  });

  it("cuts no answer that its client reads slowly", async () => {
    const long = "x".repeat(8_000_000);
    const { drain } = await open(1, long);
    const silent = connect(port, "127.0.0.1");
    await once(server, "connection");
    client.pause();
    ask();
    await once(server, "request");
    const drained = drain();
    // Connections that are not used are ended by now.
    await once(silent, "close");
    client.resume();
    await drained;
    await expect.poll(() => received.endsWith(long)).toBe(true);
  });

  it("answers whatever comes in the end by one word", async () => {
    const { refuse } = await open(HOUR);
    refuse((_request, response) => void response.writeHead(503).end());
    ask();
    await expect.poll(answers).toEqual(["HTTP/1.1 503 Service Unavailable", "Connection: keep-alive"]);
    client.destroy();
    server.close();
  });
});
