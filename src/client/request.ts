import type { components, paths } from "./types.js";

/** What the service says about a failure. Which members there are depends on the status. */
export interface ErrorBody {
  error: string;
  /** The cause. Absent with 401 and a used-up quota, whose status says all. */
  code?: components["schemas"]["ErrorCode"];
  issues?: components["schemas"]["InvalidFailure"]["issues"];
  tier?: string;
  limit?: number;
  used?: number;
  resets_at?: string;
  oldest_after?: string;
}

/** Every failure: a response that is not a success, or none. */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    /** Status of the response; 0 when there was none, because the network failed or the time was up. */
    readonly status: number,
    /** Names the request in the service's log; null when something before the service responded. */
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
  /** Your API key, such as `process.env.GROWTH_API_KEY`. Without one the client is not created. */
  apiKey: string | undefined;
  /**
   * How often a request is sent again after a network failure, no response in time, 429, 502, 503 or 504 (2). Every request
   * of this API is safe to repeat.
   */
  retries?: number | undefined;
  /**
   * The longest wait in seconds before a retry (30). A 429 names the seconds until midnight UTC: set 86400 to wait for the
   * next day's quota.
   */
  maxWaitSeconds?: number | undefined;
  /** Seconds after which a request without a response fails (30). */
  timeoutSeconds?: number | undefined;
  /** Sent with every request, such as `X-Test-Clock` for the sandbox. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Used in place of the global fetch. */
  fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** Used in place of a timer. */
  wait?: ((seconds: number, signal: AbortSignal | undefined) => Promise<void>) | undefined;
}

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call, with its retries and waits. */
  signal?: AbortSignal | undefined;
}

type Method = "get" | "post" | "delete";
/** The paths that have a method. */
type OperationPath<M extends Method> = {
  [Path in keyof paths]: paths[Path][M] extends object ? Path : never;
}[keyof paths];
type Success<Operation> = Operation extends {
  responses: { 200: { content: { "application/json": infer Body } } };
}
  ? Body
  : never;
type RequestBody<Operation> = Operation extends {
  requestBody: { content: { "application/json": infer Body } };
}
  ? Body
  : never;

interface Parts<Body> {
  channelId?: string;
  query?: Record<string, string | number | boolean | undefined>;
  body?: Body;
}

export type Sender = ReturnType<typeof createSender>;

/** Sends requests to the service. @throws TypeError without an address or a key */
export function createSender({ baseUrl, apiKey, ...options }: GrowthClientOptions) {
  if (!baseUrl) throw new TypeError("baseUrl is missing. Set it to the address of the service.");
  if (!apiKey) throw new TypeError("apiKey is missing. Set it to your API key.");
  const base = baseUrl.replace(/\/+$/, "");

  /** The body of a success. @throws ApiError for every other response */
  return async <M extends Method, P extends OperationPath<M>>(
    method: M,
    path: P,
    { channelId = "", query = {}, body }: Parts<RequestBody<paths[P][M]>>,
    { signal }: CallOptions = {},
  ): Promise<Success<paths[P][M]>> => {
    const given = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    );
    const search = given.length > 0 ? `?${new URLSearchParams(given)}` : "";
    const url = `${base}${path.replace("{channel_id}", encodeURIComponent(channelId))}${search}`;
    const init: RequestInit = {
      method: method.toUpperCase(),
      headers: {
        ...options.headers,
        "X-API-Key": apiKey,
        ...(body && { "Content-Type": "application/json" }),
      },
      // Not followed: the key would be sent to wherever it leads.
      redirect: "manual",
      ...(body && { body: JSON.stringify(body) }),
    };
    return sendWithRetries(url, init, options, signal);
  };
}

type SendOptions = Omit<GrowthClientOptions, "baseUrl" | "apiKey">;

const RETRIED = [0, 429, 502, 503, 504];

/** The body of a success. @throws ApiError when there is none and a retry is not worth the wait */
async function sendWithRetries<Body>(
  url: string,
  init: RequestInit,
  { retries = 2, maxWaitSeconds = 30, timeoutSeconds = 30, fetch: send = fetch, wait = waitSeconds }: SendOptions,
  callerSignal: AbortSignal | undefined,
): Promise<Body> {
  for (let sent = 0; ; sent++) {
    const timeout = AbortSignal.timeout(timeoutSeconds * 1000);
    const signal = callerSignal ? AbortSignal.any([callerSignal, timeout]) : timeout;
    const receive = async () => readAnswer<Body>(await send(new Request(url, { ...init, signal })));
    const answer = await receive().catch((error) => {
      if (callerSignal?.aborted) throw callerSignal.reason;
      return createNetworkError(
        timeout.aborted ? `No response within ${timeoutSeconds} seconds` : describeFailure(error),
      );
    });
    if (!(answer instanceof ApiError)) return answer.body;
    const seconds = answer.retryAfter ?? 2 ** sent;
    if (sent === retries || !RETRIED.includes(answer.status) || seconds > maxWaitSeconds) throw answer;
    await wait(seconds, callerSignal);
  }
}

/** The body of a success, or the error of any other response. Rejects when the connection ends before the body. */
async function readAnswer<Body>(response: Response): Promise<{ body: Body } | ApiError> {
  const { ok, status, headers } = response;
  const text = await response.text();
  const isJson = headers.get("content-type")?.startsWith("application/json") ?? false;
  const body: unknown = isJson ? parseJson(text) : undefined;
  if (ok && body !== undefined) return { body: body as Body };
  const retryAfter = Number.parseInt(headers.get("retry-after") ?? "", 10);
  return new ApiError(
    status,
    headers.get("x-request-id"),
    isErrorBody(body) ? body : { error: `The service responded ${status}${ok ? " without JSON" : ""}` },
    Number.isNaN(retryAfter) ? null : retryAfter,
  );
}

function createNetworkError(problem: string): ApiError {
  return new ApiError(0, null, { error: problem }, null);
}

/** Runtimes put the cause of a failed fetch, such as ECONNREFUSED, in `cause`. */
function describeFailure(error: unknown): string {
  const { cause = error } = error instanceof Error ? error : {};
  const code = typeof cause === "object" && cause !== null && "code" in cause ? ` (${cause.code})` : "";
  return `The service could not be reached${code}`;
}

function isErrorBody(body: unknown): body is ErrorBody {
  return typeof body === "object" && body !== null && "error" in body;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function waitSeconds(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      settle();
    };
    const abort = () => end(() => reject(signal?.reason));
    const timer = setTimeout(() => end(resolve), seconds * 1000);
    signal?.addEventListener("abort", abort);
    if (signal?.aborted) abort();
  });
}
