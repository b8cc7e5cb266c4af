import { beforeEach } from "vitest";
import { z } from "zod";
import { GET, POST } from "@/app/api/trpc/[trpc]/route";
import { DAY } from "@/core/time";
import { createKey, type TestKey, useService } from "./service";

const OWN_PAGE = { "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json" };

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

/** Calls the console's procedures as a browser does, with a new key in each test. */
export function useProcedures() {
  const service = useService();
  const reader = { cookie: "" } as { key: TestKey; cookie: string };

  async function call(method: "GET" | "POST", procedure: string, input?: unknown, headers = {}) {
    const text = JSON.stringify(input);
    const query = method === "GET" && input !== undefined ? `?${new URLSearchParams({ input: text })}` : "";
    const request = new Request(`http://growth.test/api/trpc/${procedure}${query}`, {
      method,
      headers: {
        Cookie: reader.cookie,
        "X-Client-Address": "192.0.2.1",
        ...(method === "POST" && OWN_PAGE),
        ...headers,
      },
      ...(method === "POST" && { body: text ?? "" }),
    });
    const response = await (method === "GET" ? GET : POST)(request);
    const body: unknown = await response.json();
    const reply = response.headers.has("x-request-id") && Reply.safeParse(body).data;
    return { status: response.status, response, body, ...(reply || {}) };
  }
  const query = (procedure: string, input?: unknown) => call("GET", procedure, input);
  const change = (procedure: string, input: unknown = {}) => call("POST", procedure, input);

  async function signIn(secret = reader.key.secret) {
    const answer = await change("sessions.signIn", { key: secret });
    const [set = ""] = answer.response.headers.getSetCookie();
    if (set) reader.cookie = set.split(";")[0] ?? "";
    return { ...answer, set };
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
