import { beforeEach } from "vitest";
import { z } from "zod";
import { GET, POST } from "@/app/api/trpc/[trpc]/route";
import { DAY } from "@/core/time";
import { createKey, type TestKey, useService } from "./service";

type Method = "GET" | "POST";
const OWN_PAGE = { "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json" };

/** Calls a procedure of the console as a browser does. Keeps the session in the browser's cookie. */
async function callProcedure(
  browser: { cookie: string },
  method: Method,
  procedure: string,
  input?: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  const text = JSON.stringify(input);
  const query = method === "GET" && input !== undefined ? `?${new URLSearchParams({ input: text })}` : "";
  const request = new Request(`http://growth.test/api/trpc/${procedure}${query}`, {
    method,
    headers: {
      Cookie: browser.cookie,
      "X-Client-Address": "192.0.2.1",
      ...(method === "POST" && OWN_PAGE),
      ...headers,
    },
    ...(method === "POST" && { body: text ?? "" }),
  });
  return (method === "GET" ? GET : POST)(request);
}

function keepSession(browser: { cookie: string }, { headers }: Response): string {
  const [set = ""] = headers.getSetCookie();
  if (set) browser.cookie = set.split(";")[0] ?? "";
  return set;
}

export interface ConsoleAnswer {
  status: number;
  /** What the procedure returned, or its failure. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads into answers of any shape, and fails where they differ
  body: any;
}

/** A user who is signed in to the console and calls its procedures. */
export type Console = Awaited<ReturnType<typeof openConsole>>;

/** Signs in with a key. If that fails, every call is unauthenticated. */
export async function openConsole(secret: string) {
  const browser = { cookie: "" };
  async function call(method: Method, procedure: string, input?: object): Promise<ConsoleAnswer> {
    const response = await callProcedure(browser, method, procedure, input);
    keepSession(browser, response);
    const { result, error } = await response.json();
    return { status: response.status, body: result?.data ?? error };
  }
  await call("POST", "sessions.signIn", { key: secret });
  return {
    query: (procedure: string, input?: object) => call("GET", procedure, input),
    change: (procedure: string, input: object = {}) => call("POST", procedure, input),
  };
}

const Reply = z.object({
  result: z.object({ data: z.unknown() }).optional(),
  error: z
    .object({
      message: z.string(),
      // Strict, so that a stack or a source path is a fault.
      data: z.strictObject({
        code: z.string(),
        httpStatus: z.int(),
        requestId: z.string(),
        issues: z.array(z.object({ field: z.string(), message: z.string() })),
        retryAfter: z.int().nullable(),
      }),
    })
    .optional(),
});

/** Calls the console's procedures with a new key in each test, and checks the form of their answers. */
export function useProcedures() {
  const service = useService();
  const reader = { cookie: "" } as { key: TestKey; cookie: string };

  async function call(...[method, procedure, input, headers]: [Method, string, unknown?, Record<string, string>?]) {
    const response = await callProcedure(reader, method, procedure, input, headers);
    const body: unknown = await response.json();
    const reply = response.headers.has("x-request-id") && Reply.safeParse(body).data;
    return { status: response.status, response, body, ...(reply || {}) };
  }
  const query = (procedure: string, input?: unknown) => call("GET", procedure, input);
  const change = (procedure: string, input: unknown = {}) => call("POST", procedure, input);

  async function signIn(secret = reader.key.secret) {
    const answer = await change("sessions.signIn", { key: secret });
    return { ...answer, set: keepSession(reader, answer.response) };
  }
  const getUsedToday = async () =>
    z.object({ requests_today: z.int() }).parse((await query("usage.today")).result?.data);

  beforeEach(async () => {
    reader.cookie = "";
    service.clock.advance(DAY);
    reader.key = await createKey(service, "free");
  });

  return { service, reader, call, query, change, signIn, usedToday: getUsedToday };
}
