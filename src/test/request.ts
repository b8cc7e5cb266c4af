import path from "node:path";
import { createRouter } from "@/cli/api";
import { buildOpenApiDocument } from "@/server/docs/openapi";
import { createDocumentCheck } from "./documented";

const ROUTES = path.resolve("src/app");
const router = await createRouter(
  ROUTES,
  (name) => import(path.join(ROUTES, name)),
  (handler, { req }) => handler(req.raw, { params: Promise.resolve(req.param()) }),
);

const findUndocumented = createDocumentCheck(
  buildOpenApiDocument({ appUrl: "http://growth.test", sample: true, hasSandbox: true }),
);

async function expectDocumented(method: string, path: string, response: Response): Promise<void> {
  const { status, headers } = response;
  const problem = findUndocumented({ method, path, status, headers, text: await response.text() });
  if (problem) throw new Error(`${method} ${path} answers ${status} otherwise than documented: ${problem}`);
}

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads into bodies of any shape, and fails where they differ
  body: any;
  text: string;
}

interface RequestOptions {
  key?: string;
  method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
  body?: unknown;
  headers?: Record<string, string>;
}

/** Answers a request with the route handlers, in process. */
export async function answer(request: Request): Promise<Response> {
  const response = await router.fetch(request);
  await expectDocumented(request.method, new URL(request.url).pathname, response.clone());
  return response;
}

/** Sends a request to the route handlers, in process, and reads the response. */
export async function send(path: string, { key, method = "GET", body, headers }: RequestOptions = {}): Promise<Answer> {
  const url = new URL(path, "http://growth.test");
  const request = new Request(url, {
    method,
    headers: {
      ...(key && { "X-API-Key": key }),
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const response = await answer(request);
  const text = await response.text();
  const isJson = text && response.headers.get("content-type")?.startsWith("application/json");
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : null, text };
}
