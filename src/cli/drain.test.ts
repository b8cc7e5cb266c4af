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
  async function open(lastCallMs: number): Promise<Draining> {
    received = "";
    server = createServer((_request, response) => void response.end("answer\n"));
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

  it("takes no new connection", async () => {
    const { drain } = await open(HOUR);
    const drained = drain();
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

  it("answers whatever comes in the end by one word", async () => {
    const { refuse } = await open(HOUR);
    refuse((_request, response) => void response.writeHead(503).end());
    ask();
    await expect.poll(answers).toEqual(["HTTP/1.1 503 Service Unavailable", "Connection: keep-alive"]);
    client.destroy();
    server.close();
  });
});
