import { once } from "node:events";
import { type AddressInfo, createServer, connect as dial, type Server, type Socket } from "node:net";

/** How a service fails. */
export const OUTAGES = ["refused", "hanging", "5xx", "garbage"] as const;
export type Outage = (typeof OUTAGES)[number];

/** A proxy in front of a service. It passes everything on until it is made to fail. */
export type Front = Awaited<ReturnType<typeof openFront>>;

/** A refusal in the service's protocol, and bytes of no protocol. */
export interface Words {
  unable: string | Buffer;
  garbage: string | Buffer;
}

const NOT_JSON = "<!doctype html><p>\u0000 no such thing";
export const HTTP_WORDS: Words = {
  unable: "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
  garbage: `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${NOT_JSON.length}\r\nConnection: close\r\n\r\n${NOT_JSON}`,
};

/** Opens a front of a service. */
export async function openFront(service: string, words = HTTP_WORDS) {
  const target = new URL(service);
  const sockets = new Set<Socket>();
  let outage: Outage | null = null;
  let connections = 0;
  let server = await listen(0);
  const { port } = server.address() as AddressInfo;
  const url = new URL(service);
  url.host = `127.0.0.1:${port}`;

  function take(socket: Socket): void {
    connections += 1;
    trackSocket(socket);
    if (outage === "hanging") return void socket.resume();
    if (outage !== null) {
      const reply = outage === "garbage" ? words.garbage : words.unable;
      return void socket.once("data", () => socket.end(reply));
    }
    const behind = trackSocket(dial(Number(target.port), target.hostname));
    socket.pipe(behind).pipe(socket);
    for (const [one, other] of [
      [socket, behind],
      [behind, socket],
    ] as const)
      one.once("close", () => other.destroy());
  }

  function trackSocket(socket: Socket): Socket {
    sockets.add(socket);
    socket.on("error", () => {});
    return socket.once("close", () => sockets.delete(socket));
  }

  async function listen(at: number): Promise<Server> {
    const made = createServer(take);
    made.listen(at, "127.0.0.1");
    await once(made, "listening");
    return made;
  }

  function silence(): void {
    for (const socket of sockets) {
      socket.unpipe();
      socket.resume();
    }
  }

  function breakAll(): void {
    for (const socket of sockets) socket.destroy();
  }

  return {
    /** The service's address behind the front. */
    url: url.href.replace(/\/$/, ""),
    /** Connections since it last failed or recovered; of HTTP that is out, each is one call. */
    get connections() {
      return connections;
    },
    /** Nothing more passes on the connections that are open, as when the server vanished; new ones work. */
    silence,
    /** From now on nothing is passed on; what was open breaks or stays silent. */
    async fail(how: Outage): Promise<void> {
      outage = how;
      connections = 0;
      if (how === "hanging") silence();
      else breakAll();
      if (how === "refused") {
        server.close();
        await once(server, "close");
      }
    },
    async recover(): Promise<void> {
      breakAll();
      if (outage === "refused") server = await listen(port);
      outage = null;
      connections = 0;
    },
    async close(): Promise<void> {
      breakAll();
      if (server.listening) server.close();
    },
  };
}
