import { Agent, type RequestOptions, request } from "node:http";
import { Readable } from "node:stream";
import { z } from "zod";
import type { Alert, Creator as AnyCreator, Pagination, TrackedCreator } from "../src/client/client";
import { createDocumentCheck } from "../src/test/documented";
import { getBaseUrl, HOST, PORT } from "./product";

/** A creator as found or as tracked. */
export type Creator = AnyCreator & Partial<TrackedCreator>;

/** The response fields that specs read. */
export interface Body {
  [member: string]: unknown;
  error?: string;
  issues?: { field: string; message: string }[];
  creator?: Creator;
  creators?: Creator[];
  pagination?: Pagination;
  alerts?: Alert[];
  requests_today?: number;
  /** Of the OpenAPI document: operations by path and method. */
  paths?: Record<string, object>;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** Empty when the response is not JSON. */
  body: Body;
}

interface CallOptions {
  /** Replaces the client's key; null sends none. */
  key?: string | null;
  /** Text, bytes and streams are sent unchanged, anything else as JSON. */
  body?: unknown;
  /** Undefined removes a default header. */
  headers?: Record<string, string | string[] | undefined>;
}

/** Sends requests with a key. */
export type Client = ReturnType<typeof createClient>;

let check: ReturnType<typeof fetchDocumentCheck> | undefined;

/** The check against the document that the shared product serves. */
async function fetchDocumentCheck() {
  const answer = await fetch(`${getBaseUrl(PORT)}/api/openapi.json`);
  return createDocumentCheck(z.looseObject({}).parse(await answer.json()));
}

// One connection per request: the next request would fail on one left by a killed product.
const agent = new Agent({ keepAlive: false });

/** A client for the product on a port. Paths are not normalised. */
export function createClient(port: number, key: string | null) {
  async function call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const { key: other, body, headers } = options;
    const sent = other === undefined ? key : other;
    const content = body === undefined || body instanceof Readable ? body : toBytes(body);
    const all = {
      ...(sent !== null && { "X-API-Key": sent }),
      ...(content && { "Content-Type": "application/json" }),
      ...(content instanceof Buffer && { "Content-Length": String(content.length) }),
      ...headers,
    };
    const given = Object.entries(all).filter(([, value]) => value !== undefined);
    const answer = await send({ port, method, path, headers: Object.fromEntries(given) }, content);
    check ??= fetchDocumentCheck();
    const findUndocumented = await check;
    const problem = findUndocumented({ ...answer, method, path: path.split("?")[0] ?? "" });
    if (problem) throw new Error(`${method} ${path} answers ${answer.status} otherwise than documented: ${problem}`);
    return answer;
  }
  return {
    key,
    call,
    get: (path: string, options?: CallOptions) => call("GET", path, options),
    post: (path: string, body: unknown, options?: CallOptions) => call("POST", path, { ...options, body }),
    delete: (path: string, options?: CallOptions) => call("DELETE", path, options),
  };
}

function send(options: RequestOptions, content: Buffer | Readable | undefined): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ agent, hostname: HOST, ...options });
    sent.once("error", reject);
    sent.once("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.once("error", reject);
      response.once("end", () => {
        const received = toHeaders(response.rawHeaders);
        const status = response.statusCode ?? 0;
        resolve({ status, headers: received, text, body: isJson(received) && text ? JSON.parse(text) : {} });
      });
    });
    if (content instanceof Readable) content.pipe(sent);
    else sent.end(content);
  });
}

function toBytes(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
}

function toHeaders(raw: readonly string[]): Headers {
  const headers = new Headers();
  for (let at = 0; at < raw.length; at += 2) headers.append(raw[at] ?? "", raw[at + 1] ?? "");
  return headers;
}

function isJson(headers: Headers): boolean {
  return headers.get("content-type") === "application/json; charset=utf-8";
}
