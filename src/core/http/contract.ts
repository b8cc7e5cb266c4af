import type { z } from "zod";
import type { ErrorCode } from "@/core/errors";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** The failures an endpoint can answer with. Some are the console's alone. */
export type DocumentedError = Exclude<ErrorCode, "forbidden" | "too_many_attempts">;

/** The groups that documents show endpoints in. */
export type Tag = "Discovery" | "Tracking" | "Alerts" | "Usage" | "Service";

/**
 * What one endpoint takes and answers. The same schemas validate requests, type the handlers and make the OpenAPI
 * document, the typed client, the reference and the snippets.
 */
export interface Contract {
  method: Method;
  /** Path with `{name}` for each parameter. */
  path: string;
  /** Unique name of the endpoint: a verb and what it acts on, in camel case. */
  id: string;
  tag: Tag;
  summary: string;
  /** What a reader must know besides, in Markdown. */
  description?: string;
  /** Segments of the path; a value that does not fit is a resource that does not exist. */
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** The members of a success beside `status: "ok"`, which every one has. */
  answer: z.ZodObject;
  /** Whether it needs no key and counts nothing. */
  open?: boolean;
  /** Failures that do not follow from the shape of the request. */
  errors?: readonly DocumentedError[];
  example: Example;
}

/** One call and its answer, true to each other and to the schemas. */
export interface Example {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | number>>;
  body?: object;
  /** As the schema of the answer: without `status`. */
  answer: object;
}

/** Names a contract while keeping its exact schemas. */
export function contract<const C extends Contract>(definition: C): C {
  return definition;
}
