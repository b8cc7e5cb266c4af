import type { z } from "zod";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/**
 * What one endpoint takes and answers. The same schemas validate requests, type the handlers and make the OpenAPI
 * document.
 */
export interface Contract {
  method: Method;
  /** Path with `{name}` for each parameter. */
  path: string;
  summary: string;
  /** Segments of the path; a value that does not fit is a resource that does not exist. */
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** The members of a success beside `status: "ok"`, which every one has. */
  answer: z.ZodObject;
}

/** Names a contract while keeping its exact schemas. */
export function contract<const C extends Contract>(definition: C): C {
  return definition;
}
