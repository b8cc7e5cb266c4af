import type { z } from "zod";
import type { Reply } from "@/core/http/reply";
import type { Day } from "@/core/time";
import type { DiscoveryContext } from "@/features/discovery/entries.service";
import type { Key } from "@/features/keys/schema";
import type { Quota } from "@/features/usage/quota.service";
import type { MailContext } from "./context";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** The statuses of the failures that an endpoint can answer with. */
export type FailureStatus = 400 | 401 | 404 | 405 | 410 | 413 | 415 | 429 | 500 | 503;

export type Tag = "Discovery" | "Tracking" | "Alerts" | "Changes" | "Usage" | "Service";

/** Seconds for which what mostly changes with the daily run may be kept. Short, as a run takes minutes. */
export const MAX_AGE = 300;

/** What one endpoint takes and answers: validation, types, OpenAPI, guides and tools are made of it. */
export interface Contract {
  method: Method;
  path: string;
  id: string;
  tag: Tag;
  summary: string;
  description: string;
  /** Parameters of the path. A value that does not fit is answered 404. */
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** The members of a success besides `status: "ok"`. */
  answer: z.ZodObject;
  /** Columns and an example row of the answer with `format=csv`. */
  csv?: { columns: readonly string[]; example: string };
  /** Seconds for which a client may keep the answer of a GET; 0 when left out. */
  maxAge?: number;
  /** The UTC days since when it should not be used, and until when it works. */
  deprecated?: { since: Day; until: Day };
  /** Whether it needs no key and counts nothing. */
  open?: boolean;
  /** Failures that do not follow from the shape of the request. */
  errors?: readonly FailureStatus[];
  example: Example;
}

export interface Example {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | number>>;
  body?: object;
  answer: object;
}

/** Keeps the exact types of a contract. */
export function defineContract<const C extends Contract>(contract: C): C {
  return contract;
}

export interface EndpointContext extends MailContext, DiscoveryContext {
  quota: Quota;
}

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** One call, with its values as the contract parsed them. */
interface Call<C extends Contract> {
  ctx: EndpointContext;
  key: Key;
  usedToday: number;
  params: Parsed<C["params"]>;
  query: Parsed<C["query"]>;
  body: Parsed<C["body"]>;
}

/** A contract and the handler that carries it out. A handler returns the members of the answer, or a file. */
export interface Endpoint {
  contract: Contract;
  handle(call: object): Promise<object>;
}

export function defineEndpoint<const C extends Contract>(
  contract: C,
  handle: (call: Call<C>) => Promise<z.input<C["answer"]> | Reply>,
): Endpoint {
  // The doors parse each call by this contract, which a list of different endpoints cannot express in types.
  return { contract, handle: handle as Endpoint["handle"] };
}
