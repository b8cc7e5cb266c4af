import createFetchClient from "openapi-fetch";
import type { components, operations, paths } from "./types";

export type Alert = components["schemas"]["Alert"];
export type Change = components["schemas"]["Change"];
export type Creator = components["schemas"]["Creator"];
export type TrackedCreator = components["schemas"]["TrackedCreator"];
export type Pagination = components["schemas"]["Pagination"];
/** What became of one channel of a list. */
export type TrackResult = Extract<Answer<"trackCreator">, { results: unknown }>["results"][number];
export type Reading = components["schemas"]["Reading"];

type Operation = keyof operations;
type Query<Id extends Operation> = Omit<NonNullable<operations[Id]["parameters"]["query"]>, "format">;
/** The body of a success of an operation. */
export type Answer<Id extends Operation> = operations[Id]["responses"][200]["content"]["application/json"];

/** What the service may say about a failure; which members there are depends on the status. */
export interface ErrorBody {
  error: string;
  issues?: components["schemas"]["InvalidRequest"]["issues"];
  tier?: string;
  limit?: number;
  used?: number;
  resets_at?: string;
  oldest_after?: string;
}

/** Every answer that is not a success. */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    readonly status: number,
    /** Names the request in the service's log; null when something before the service answered. */
    readonly requestId: string | null,
    readonly body: ErrorBody,
    /** Seconds after which the same request may succeed; null when the service names none. */
    readonly retryAfter: number | null,
  ) {
    super(body.error);
  }
}

export interface GrowthClientOptions {
  /** Address of the service, such as `https://growth.example`. */
  baseUrl: string;
  apiKey: string;
  /** How often a request is sent again after 429 or 503 (2). Every request of this API is safe to repeat. */
  retries?: number;
  /**
   * The longest wait in seconds that is put up with (30). A 429 names the seconds until midnight UTC, so it is waited for
   * only in the last moments of a day, or by whoever sets this to 86400.
   */
  maxWaitSeconds?: number;
  /** Seconds after which a request without an answer is given up (30). */
  timeoutSeconds?: number;
  /** In place of the global fetch. */
  fetch?: (request: Request) => Promise<Response>;
  /** In place of a timer. */
  wait?: (seconds: number) => Promise<void>;
}

export type GrowthClient = ReturnType<typeof createGrowthClient>;

const PAGE_SIZE = 100;
const CHANNELS_PER_REQUEST = 50;

/**
 * A typed client of the Creator Growth Tracking Service. Its methods answer the body of a success, and throw an
 * {@link ApiError} for every other answer. It depends on nothing but `openapi-fetch`.
 */
export function createGrowthClient({ baseUrl, apiKey, ...options }: GrowthClientOptions) {
  const api = createFetchClient<paths>({
    baseUrl,
    headers: { "X-API-Key": apiKey },
    fetch: (request) => fetchPatiently(request, options),
  });
  const body = async <T>(asked: Promise<{ data?: T }>): Promise<Exclude<T, string>> => {
    const { data } = await asked;
    // fetchPatiently throws unless the answer is a success, which always has a body. A text is CSV.
    if (data === undefined || typeof data === "string") throw new TypeError("The answer has no JSON body");
    return data as Exclude<T, string>;
  };
  const listTracked = (query: Query<"listTrackedCreators"> = {}) =>
    body(api.GET("/api/track", { params: { query } }));
  const listAlerts = (query: Query<"listAlerts"> = {}) => body(api.GET("/api/alerts", { params: { query } }));
  const listChanges = (query: Query<"listChanges"> = {}) =>
    body(api.GET("/api/changes", { params: { query } }));
  const channel = (channel_id: string) => ({ params: { path: { channel_id } } });

  return {
    /** Creators of a niche, best score first. */
    discover: (query: Query<"discoverCreators">) => body(api.GET("/api/discover", { params: { query } })),
    /** Starts tracking a creator, named by its id, `@handle` or channel URL. */
    track: async (channelId: string) =>
      one(await body(api.POST("/api/track", { body: { channel_id: channelId } }))),
    /**
     * Starts tracking creators, each named like one alone: one request for each fifty. Answers a `creator` or an `error` for
     * each, in the order given.
     */
    trackMany: async (channelIds: readonly string[]) => {
      const results: TrackResult[] = [];
      for (let from = 0; from < channelIds.length; from += CHANNELS_PER_REQUEST) {
        const channel_ids = channelIds.slice(from, from + CHANNELS_PER_REQUEST);
        results.push(...many(await body(api.POST("/api/track", { body: { channel_ids } }))));
      }
      return results;
    },
    /** One tracked creator, by its id, `@handle` or channel URL. */
    tracked: async (channelId: string) =>
      (await body(api.GET("/api/track/{channel_id}", channel(channelId)))).creator,
    /** Stops tracking a creator; its alerts stay. */
    untrack: (channelId: string) => body(api.DELETE("/api/track/{channel_id}", channel(channelId))),
    /** The daily readings of a tracked creator, oldest first. */
    history: (channelId: string, query: Query<"getCreatorHistory"> = {}) => {
      const { path } = channel(channelId).params;
      return body(api.GET("/api/track/{channel_id}/history", { params: { path, query } }));
    },
    /** One page of the tracked creators. */
    listTracked,
    /** All tracked creators, the latest tracked first: one request for each hundred. */
    trackedCreators: () => eachOf(listTracked, ({ creators }) => creators),
    /** One page of the alerts. */
    listAlerts,
    /** All alerts, newest first: one request for each hundred. */
    alerts: () => eachOf(listAlerts, ({ alerts }) => alerts),
    /** The alerts created after one, by its id, oldest first; all when left out. None is missed or repeated. */
    alertsAfter: (id = "") => following(listAlerts, id, ({ alerts }) => alerts),
    /** One page of what changed for the key. */
    listChanges,
    /**
     * What changed for the key after a cursor, page by page: keep `next_after` with what you stored of its page. An
     * {@link ApiError} 410 has the oldest cursor that is still kept in `body.oldest_after`.
     */
    changes: (after = "") => pagesAfter(listChanges, after),
    /** The address that receives alerts; null when none is set. */
    alertEmail: async () => (await body(api.GET("/api/alerts/email"))).email,
    /** Sets the address that receives alerts, in place of any earlier one. */
    setAlertEmail: (email: string) => body(api.POST("/api/alerts/email", { body: { email } })),
    /** Clears the address that receives alerts. */
    clearAlertEmail: () => body(api.DELETE("/api/alerts/email")),
    /** What the key has used today, this request included. */
    usage: () => body(api.GET("/api/usage")),
    /** Whether the service can serve, and how its last daily run went. */
    health: () => body(api.GET("/api/health")),
  };
}

type Tracked = Answer<"trackCreator">;

/** The answer to one channel, which has another form than that to a list. */
function one(answer: Tracked): Extract<Tracked, { creator: unknown }> {
  if ("creator" in answer) return answer;
  throw new TypeError("The answer has no creator");
}

function many(answer: Tracked): TrackResult[] {
  if ("results" in answer) return answer.results;
  throw new TypeError("The answer has no results");
}

/** Everything a list holds, page by page. What comes in meanwhile may move an item to the next page. */
async function* eachOf<Page extends { pagination: Pagination }, Item>(
  list: (query: { offset: number; limit: number }) => Promise<Page>,
  itemsOf: (page: Page) => Item[],
): AsyncGenerator<Item, void> {
  for (let offset = 0, more = true; more; offset += PAGE_SIZE) {
    const page = await list({ offset, limit: PAGE_SIZE });
    yield* itemsOf(page);
    more = page.pagination.has_more;
  }
}

interface Following {
  next_after: string | null;
  has_more?: boolean;
  pagination?: Pagination;
}

/** The pages after a cursor until the last one. */
async function* pagesAfter<Page extends Following>(
  list: (query: { after: string; limit: number }) => Promise<Page>,
  start: string,
): AsyncGenerator<Page, void> {
  for (let after = start, more = true; more; ) {
    const page = await list({ after, limit: PAGE_SIZE });
    yield page;
    after = page.next_after ?? after;
    more = page.has_more ?? page.pagination?.has_more ?? false;
  }
}

async function* following<Page extends Following, Item>(
  list: (query: { after: string; limit: number }) => Promise<Page>,
  start: string,
  itemsOf: (page: Page) => Item[],
): AsyncGenerator<Item, void> {
  for await (const page of pagesAfter(list, start)) yield* itemsOf(page);
}

/** The answer to a request once it is a success. @throws ApiError for one that is none and not worth a further wait */
async function fetchPatiently(
  request: Request,
  {
    retries = 2,
    maxWaitSeconds = 30,
    timeoutSeconds = 30,
    fetch: send = fetch,
    wait = waitSeconds,
  }: Omit<GrowthClientOptions, "baseUrl" | "apiKey">,
): Promise<Response> {
  for (let left = retries; ; left--) {
    const signal = AbortSignal.timeout(timeoutSeconds * 1000);
    // Not followed: the key would be handed to whoever it leads to.
    const response = await send(new Request(request.clone(), { signal, redirect: "manual" }));
    if (response.ok) return response;
    const error = await asError(response);
    const mayRetry = [429, 503].includes(error.status) && left > 0;
    if (!mayRetry || error.retryAfter === null || error.retryAfter > maxWaitSeconds) throw error;
    await wait(error.retryAfter);
  }
}

async function asError(response: Response): Promise<ApiError> {
  const { status, headers } = response;
  const text = await response.text();
  const retryAfter = Number.parseInt(headers.get("retry-after") ?? "", 10);
  return new ApiError(
    status,
    headers.get("x-request-id"),
    parseError(text) ?? { error: text || `The service answered ${status}` },
    Number.isNaN(retryAfter) ? null : retryAfter,
  );
}

function parseError(text: string): ErrorBody | null {
  try {
    const value: unknown = JSON.parse(text);
    const isOurs = typeof value === "object" && value !== null && "error" in value;
    return isOurs ? (value as ErrorBody) : null;
  } catch {
    return null;
  }
}

function waitSeconds(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
