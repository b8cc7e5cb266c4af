import { call, faultOf } from "@/core/http/call";
import type { Clock } from "@/core/time";

const LIMITS = { timeoutMs: 5_000, maxBytes: 1_048_576 };

/** What a server answered, or why it did not. */
export type Reply = { status: number; text: string } | { fault: string };

/** Asks servers, and keeps how far their clocks are from ours. */
export interface Asker {
  /** Sends one request; redirects are answers like any other. Never rejects. */
  ask(url: string, init?: Pick<RequestInit, "method" | "headers" | "body">): Promise<Reply>;
  /** Milliseconds by which each server that told its time was ahead. */
  leads: number[];
}

/** Makes an asker that gives a server 5 s. */
export function createAsker(clock: Clock): Asker {
  const leads: number[] = [];
  return {
    leads,
    async ask(url, init) {
      try {
        const response = await call(url, { ...init, ...LIMITS });
        const text = await response.text();
        const told = Date.parse(response.headers.get("date") ?? "");
        if (Number.isFinite(told)) leads.push(told - clock.now().getTime());
        return { status: response.status, text };
      } catch (error) {
        return { fault: readable(faultOf(error)) };
      }
    },
  };
}

function readable(fault: string): string {
  if (fault === "TimeoutError") return "no answer within 5 s";
  return /^[A-Z_]+$/.test(fault) ? fault : "no connection";
}
