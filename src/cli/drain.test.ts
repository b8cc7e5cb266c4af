import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HOUR } from "@/core/time";
import { drain } from "./drain";

describe("a server that is told to stop", () => {
  let server: Server;
  let port: number;
  let client: Socket;
  let received: string;

  beforeEach(async () => {
    received = "";
    server = createServer((_request, response) => void response.end("answer"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    ({ port } = server.address() as AddressInfo);
    client = connect(port, "127.0.0.1");
    client.on("data", (chunk) => {
      received += chunk;
    });
    await ask(1);
  });
  afterEach(() => client.destroy());

  const answers = () => received.match(/^Connection: .*$/gm);
  async function ask(times: number): Promise<void> {
    client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await expect.poll(() => answers()?.length).toBe(times);
  }

  it("answers what is asked on a connection that stands, and ends it with that", async () => {
    const drained = drain(server, HOUR);
    await ask(2);
    await drained;
    expect(answers()).toEqual(["Connection: keep-alive", "Connection: close"]);
  });

  it("takes no new connection", async () => {
    const drained = drain(server, HOUR);
    await expect(once(connect(port, "127.0.0.1"), "connect")).rejects.toMatchObject({ code: "ECONNREFUSED" });
    client.destroy();
    await drained;
  });

  it("ends a connection on which nothing is asked", async () => {
    await drain(server, 1);
    expect(answers()).toEqual(["Connection: keep-alive"]);
  });
});
