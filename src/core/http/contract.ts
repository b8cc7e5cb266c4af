import type { z } from "zod";
import type { ErrorCode } from "@/core/errors";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** The failures an endpoint can answer with. The others occur in the console only. */
export type DocumentedError = Exclude<ErrorCode, "forbidden" | "too_many_attempts">;

export type Tag = "Discovery" | "Tracking" | "Alerts" | "Changes" | "Usage" | "Service";

/** What one endpoint takes and answers: the source of validation, types, OpenAPI and guides. */
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
  /** The members of a success besides `status: "ok"`; of several kinds when the body chooses between them. */
  answer: z.ZodObject | z.ZodUnion<readonly z.ZodObject[]>;
  /** Columns and an example row of the answer with `format=csv`. */
  csv?: { columns: readonly string[]; example: string };
  /** Whether it needs no key and counts nothing. */
  open?: boolean;
  /** Failures that do not follow from the shape of the request. */
  errors?: readonly DocumentedError[];
  example: Example;
}

export interface Example {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | number>>;
  body?: object;
  answer: object;
}

export function defineContract<const C extends Contract>(definition: C): C {
  return definition;
}
