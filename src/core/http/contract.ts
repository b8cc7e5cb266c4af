import type { z } from "zod";
import type { ErrorCode } from "@/core/errors";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** The failures an endpoint can answer with. The others occur in the console only. */
export type DocumentedError = Exclude<ErrorCode, "forbidden" | "too_many_attempts">;

/** The groups that documents show endpoints in. */
export type Tag = "Discovery" | "Tracking" | "Alerts" | "Usage" | "Service";

/** What one endpoint takes and answers: the source of validation, types, OpenAPI, client, reference and snippets. */
export interface Contract {
  method: Method;
  /** With `{name}` for each parameter. */
  path: string;
  /** A unique verb and object, in camel case. */
  id: string;
  tag: Tag;
  summary: string;
  /** Details, in Markdown. */
  description?: string;
  /** Parameters of the path. A value that does not fit is answered 404. */
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** The members of a success besides `status: "ok"`. */
  answer: z.ZodObject;
  /** Whether it needs no key and counts nothing. */
  open?: boolean;
  /** Failures that do not follow from the shape of the request. */
  errors?: readonly DocumentedError[];
  example: Example;
}

/** One call and its answer, which fit each other and the schemas. */
export interface Example {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | number>>;
  body?: object;
  /** As the schema of the answer: without `status`. */
  answer: object;
}

/** Defines a contract with the exact types of its schemas. */
export function contract<const C extends Contract>(definition: C): C {
  return definition;
}
