import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What somebody else's server answers to the requests of one path. */
export interface FixedAnswer {
  status: number;
  body: string;
  headers?: Record<string, string>;
}

/** A request as it came in. */
export interface Received {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
}

export interface AnsweringServer {
  url: string;
  received: Received[];
  close(): Promise<void>;
}

/** A server on this machine that answers by path, the longest beginning first, and keeps what it was asked. */
export async function serveAnswers(answers: Record<string, FixedAnswer>): Promise<AnsweringServer> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const path = request.url ?? "";
    const body = Buffer.concat(parts).toString();
    received.push({ method: request.method ?? "", path, headers: request.headers, body });
    const [found] = Object.keys(answers)
      .filter((beginning) => path.startsWith(beginning))
      .sort((one, other) => other.length - one.length);
    const answer = answers[found ?? ""] ?? { status: 404, body: "not found" };
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  return { url: await listen(server), received, close: () => stop(server) };
}

async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function stop(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, "close");
}

/** Answers with a head that says that what follows it is zipped, and with what is not. */
export function answerUnzippable(response: ServerResponse): void {
  response.writeHead(200, { "Content-Encoding": "gzip", "Content-Length": 5 });
  response.flushHeaders();
  // In a packet of its own.
  setTimeout(() => response.end("hello"), 20);
}
