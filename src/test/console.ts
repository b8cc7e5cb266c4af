import { GET, POST } from "@/app/api/trpc/[trpc]/route";

/** A user who is signed in to the console and calls its procedures. */
export interface Console {
  query(procedure: string, input?: object): Promise<ConsoleAnswer>;
  change(procedure: string, input?: object): Promise<ConsoleAnswer>;
}

export interface ConsoleAnswer {
  status: number;
  /** What the procedure returned, or its failure. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads into answers of any shape, and fails where they differ
  body: any;
}

/** Signs in with a key. If that fails, every call is unauthenticated. */
export async function openConsole(secret: string): Promise<Console> {
  let cookie = "";
  async function call(method: "GET" | "POST", procedure: string, input?: object): Promise<ConsoleAnswer> {
    const text = JSON.stringify(input ?? {});
    const search = method === "GET" && input ? `?${new URLSearchParams({ input: text })}` : "";
    const request = new Request(`http://growth.test/api/trpc/${procedure}${search}`, {
      method,
      headers: {
        Cookie: cookie,
        "X-Client-Address": "192.0.2.1",
        ...(method === "POST" && { "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json" }),
      },
      ...(method === "POST" && { body: text }),
    });
    const response = await (method === "GET" ? GET : POST)(request);
    const [set] = response.headers.getSetCookie();
    if (set) cookie = set.split(";")[0] ?? "";
    const { result, error } = await response.json();
    return { status: response.status, body: result?.data ?? error };
  }
  await call("POST", "sessions.signIn", { key: secret });
  return {
    query: (procedure, input) => call("GET", procedure, input),
    change: (procedure, input) => call("POST", procedure, input),
  };
}
