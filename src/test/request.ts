import { tryDecode } from "hono/utils/url";
import * as unknown from "@/app/api/[[...path]]/route";
import * as alertsEmail from "@/app/api/alerts/email/route";
import * as mute from "@/app/api/alerts/mutes/[channel_id]/route";
import * as mutes from "@/app/api/alerts/mutes/route";
import * as alerts from "@/app/api/alerts/route";
import * as changes from "@/app/api/changes/route";
import * as creator from "@/app/api/creators/[channel_id]/route";
import * as discover from "@/app/api/discover/route";
import * as health from "@/app/api/health/route";
import * as live from "@/app/api/live/route";
import * as metrics from "@/app/api/metrics/route";
import * as niches from "@/app/api/niches/route";
import * as openapi from "@/app/api/openapi.json/route";
import * as badge from "@/app/api/status/badge.svg/route";
import * as status from "@/app/api/status/route";
import * as history from "@/app/api/track/[channel_id]/history/route";
import * as tracked from "@/app/api/track/[channel_id]/route";
import * as track from "@/app/api/track/route";
import * as usageDays from "@/app/api/usage/days/route";
import * as usageEndpoints from "@/app/api/usage/endpoints/route";
import * as usageRequests from "@/app/api/usage/requests/route";
import * as usage from "@/app/api/usage/route";
import { buildOpenApiDocument } from "@/server/docs/openapi";
import { createDocumentCheck } from "./documented";

type Handlers = typeof usage;

/** The route file that answers each path. */
const ROUTES: [RegExp, Handlers][] = [
  [/^\/api\/alerts$/, alerts],
  [/^\/api\/alerts\/email$/, alertsEmail],
  [/^\/api\/alerts\/mutes$/, mutes],
  [/^\/api\/alerts\/mutes\/(?<channel_id>[^/]+)$/, mute],
  [/^\/api\/changes$/, changes],
  [/^\/api\/creators\/(?<channel_id>[^/]+)$/, creator],
  [/^\/api\/discover$/, discover],
  [/^\/api\/health$/, health],
  [/^\/api\/live$/, live],
  [/^\/api\/metrics$/, metrics],
  [/^\/api\/niches$/, niches],
  [/^\/api\/openapi\.json$/, openapi],
  [/^\/api\/status$/, status],
  [/^\/api\/status\/badge\.svg$/, badge],
  [/^\/api\/track$/, track],
  [/^\/api\/track\/(?<channel_id>[^/]+)$/, tracked],
  [/^\/api\/track\/(?<channel_id>[^/]+)\/history$/, history],
  [/^\/api\/usage$/, usage],
  [/^\/api\/usage\/days$/, usageDays],
  [/^\/api\/usage\/endpoints$/, usageEndpoints],
  [/^\/api\/usage\/requests$/, usageRequests],
  [/^/, unknown],
];

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
  method?: keyof Handlers;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Answers a request with the route handlers, in process. */
export async function answer(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const [pattern, handlers] = ROUTES.find(([known]) => known.test(pathname)) ?? [];
  const handle = handlers?.[request.method as keyof Handlers];
  if (!pattern || !handle) throw new Error(`no route for ${request.method} ${pathname}`);
  const groups = Object.entries({ ...pattern.exec(pathname)?.groups });
  const segments = Object.fromEntries(groups.map(([name, value]) => [name, tryDecode(value, decodeURIComponent)]));
  const response = await handle(request, { params: Promise.resolve(segments) });
  await expectDocumented(request.method, pathname, response.clone());
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
