import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What a server answers to requests of one path. */
export interface FixedAnswer {
  status: number;
  body: string;
  headers?: Record<string, string>;
}

/** A request that the server received. */
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

/** Starts a server that answers by the longest matching path prefix and records its requests. */
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

/** Answers with a gzip header and a body that is not gzip. */
export function answerUnzippable(response: ServerResponse): void {
  response.writeHead(200, { "Content-Encoding": "gzip", "Content-Length": 5 });
  response.flushHeaders();
  // Sent as a separate packet.
  setTimeout(() => response.end("hello"), 20);
}
