import { boundedFetch } from "@/core/http/bounded-fetch";
import type { Clock } from "@/core/time";

const PATIENCE_MS = 5_000;
/** Bytes of an answer. */
const LONGEST_ANSWER = 1_048_576;

/** What a server answered, or why it did not. */
export type Reply = { status: number; text: string } | { fault: string };

/** Asks servers, and keeps how far their clocks are from ours. */
export interface Asker {
  /** Sends one request; redirects are answers like any other. Never rejects. */
  ask(url: string, init?: RequestInit): Promise<Reply>;
  /** Milliseconds by which each server that told its time was ahead. */
  leads: number[];
}

/** Makes an asker that gives a server 5 s. */
export function createAsker(clock: Clock): Asker {
  const leads: number[] = [];
  const send = boundedFetch(PATIENCE_MS, LONGEST_ANSWER);
  return {
    leads,
    async ask(url, init) {
      try {
        const response = await send(url, { ...init, redirect: "manual" });
        const text = await response.text();
        const told = Date.parse(response.headers.get("date") ?? "");
        if (Number.isFinite(told)) leads.push(told - clock.now().getTime());
        return { status: response.status, text };
      } catch (error) {
        return { fault: faultOf(error) };
      }
    },
  };
}

/** Says why a server could not be asked, without its address, which may be a secret. */
function faultOf(error: unknown): string {
  const { cause, name } = error instanceof Error ? error : {};
  if (name === "TimeoutError") return "no answer within 5 s";
  if (cause instanceof Error && "code" in cause && typeof cause.code === "string") return cause.code;
  return "no connection";
}
