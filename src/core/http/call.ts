import type { z } from "zod";
import { HOUR, SECOND } from "@/core/time";

interface CallOptions extends Omit<RequestInit, "redirect" | "signal"> {
  timeoutMs: number;
  maxBytes: number;
  secrets?: readonly string[];
}

export type Answer = Pick<Response, "ok" | "status" | "headers" | "text">;

/** Calls another service. Redirects are not followed: they are answers that are not `ok`. */
export async function call(url: string, options: CallOptions): Promise<Answer> {
  const { timeoutMs, maxBytes, secrets = [], ...init } = options;
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, { ...init, redirect: "manual", signal });
  const { ok, status, headers } = response;
  return { ok, status, headers, text: async () => redact(await readBody(response, maxBytes), secrets) };
}

export function parseJson<T>(text: string, schema: z.ZodType<T>): T | null {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** An error's code or name. Its message may hold the address, which can be a secret. */
export function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const { cause } = error;
  return cause instanceof Error && "code" in cause ? String(cause.code) : error.name;
}

async function readBody(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(`the answer is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** The text with `***` for each secret. Shorter values are ordinary words. */
export function redact(text: string, secrets: readonly string[]): string {
  const long = secrets.filter(({ length }) => length >= 8);
  return long.reduce((cut, secret) => cut.replaceAll(secret, "***"), text);
}

const MAX_WAIT = HOUR / SECOND;

/** Seconds from a Retry-After header, 1 to 3600. Undefined without a number. */
export function parseRetryAfter(header: string | null): number | undefined {
  const seconds = header?.trim() ? Number(header) : Number.NaN;
  return seconds >= 0 ? Math.min(Math.max(Math.ceil(seconds), 1), MAX_WAIT) : undefined;
}
