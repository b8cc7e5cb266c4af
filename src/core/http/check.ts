import type { Clock } from "@/core/time";
import { call, describeFault } from "./call";

const LIMITS = { timeoutMs: 5_000, maxBytes: 1_048_576 };

/** What the doctor found about one service or setting. It names variables, never their values. */
export interface Finding {
  part: string;
  what: string;
  /** A note is worth a look but no fault. */
  state: "ok" | "note" | "wrong";
  says: string;
}

/** The same before its part is known. */
export type CheckResult = Omit<Finding, "part">;
export type Verdict = Omit<CheckResult, "what">;

export const createOk = (says: string): Verdict => ({ state: "ok", says });
export const createNote = (says: string): Verdict => ({ state: "note", says });
export const createFault = (says: string): Verdict => ({ state: "wrong", says });

/** One harmless request to a service, and what its answers mean. */
export interface Check {
  what: string;
  /** The variable that holds the service's address. */
  variable: string;
  url: string;
  /** No answer is a note, as the service need not run yet. */
  isOptional?: boolean;
  /** Sent as `Authorization: Bearer`. */
  token?: string;
  headers?: Record<string, string>;
  /** JSON to post; without it the request is a GET. */
  body?: string;
  /** Patterns of the status and the body after it, such as `200 {}`. The first that matches decides. */
  rules: [RegExp, Verdict | ((body: string) => Verdict | null)][];
}

/** Makes a function that runs checks. It never rejects. `leads` collects by how many milliseconds services' clocks are ahead. */
export function createChecker(clock: Clock, leads: number[]): (check: Check) => Promise<CheckResult> {
  return async ({ what, variable, url, isOptional, rules, token, headers, body }) => {
    const createFailed = (says: string) => ({ what, ...(isOptional ? createNote(says) : createFault(says)) });
    try {
      const response = await call(url, {
        ...LIMITS,
        headers: {
          ...(body && { "Content-Type": "application/json" }),
          ...headers,
          ...(token && { Authorization: `Bearer ${token}` }),
        },
        ...(body && { method: "POST", body }),
      });
      const { status } = response;
      const text = await response.text();
      const date = Date.parse(response.headers.get("date") ?? "");
      if (Number.isFinite(date)) leads.push(date - clock.now().getTime());
      const [, rule] = rules.find(([pattern]) => pattern.test(`${status} ${text}`)) ?? [];
      const verdict = typeof rule === "function" ? rule(text) : rule;
      if (verdict) return { what, ...verdict };
      if (status === 429) return { what, ...createNote(`${what} limits our requests: try again later`) };
      if (status >= 500) return createFailed(`${what} cannot answer (HTTP ${status}): try again later`);
      return { what, ...createFault(`unexpected answer of ${what} (HTTP ${status}): check ${variable}`) };
    } catch (error) {
      return createFailed(`${what} cannot be reached (${toReadable(describeFault(error))}): check ${variable}`);
    }
  };
}

function toReadable(fault: string): string {
  if (fault === "TimeoutError") return "no answer within 5 s";
  return /^[A-Z_]+$/.test(fault) ? fault : "no connection";
}
