import type { z } from "zod";
import { AppError, type FieldIssue } from "@/core/errors";

/** The largest body of a request with a key. */
export const MAX_BODY_BYTES = 16 * 1024;
/** Read and dropped beyond the limit: many clients read no answer before they have sent the whole body. */
const MAX_DISCARDED_BYTES = 8 * 1024 * 1024;

/**
 * The path's parameters.
 * @throws AppError `not_found` when one has a form that no resource has
 */
export function parseParams(schema: z.ZodObject | undefined, segments: object): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(segments);
  if (!parsed.success) throw new AppError("not_found", "There is no such resource");
  return parsed.data;
}

/**
 * The query's known parameters; unknown ones are ignored.
 * @throws AppError `invalid_request` that names each wrong parameter
 */
export function parseQuery(schema: z.ZodObject | undefined, search: URLSearchParams): unknown {
  if (!schema) return undefined;
  const names = Object.keys(schema.shape);
  const repeated = names.filter((name) => search.getAll(name).length > 1);
  if (repeated.length > 0)
    throw invalid(repeated.map((field) => ({ field, message: "must be given only once" })));
  return parse(schema, Object.fromEntries(names.map((name) => [name, search.get(name) ?? undefined])));
}

/** A body that was read, or why it could not be. */
export type ReadBody = () => string;

export const NO_BODY: ReadBody = () => "";

/**
 * Reads a body before it is known whether it is wanted. What is wrong with it is thrown where it is asked for.
 * @param maxBytes of a body that is read at all
 * @throws AppError `invalid_request` at once when it does not come to its end: nothing half said is to be done
 */
export function readAhead(request: Request, maxBytes: number): Promise<ReadBody> | undefined {
  // No Request of these methods has one, and the light ones that requests come as turn into whole ones when asked.
  if (request.method === "GET" || request.method === "HEAD" || maxBytes === 0 || !request.body)
    return undefined;
  return readBytes(request, maxBytes).then((bytes) => () => asText(bytes, maxBytes));
}

/**
 * The JSON body.
 * @throws AppError `unsupported_media_type`, `payload_too_large`, or `invalid_request` that names each wrong field
 */
export function parseBody(schema: z.ZodObject | undefined, { headers }: Request, text: ReadBody): unknown {
  if (!schema) return undefined;
  if (!/^application\/json\s*(;|$)/i.test(headers.get("content-type") ?? ""))
    throw new AppError("unsupported_media_type", "The Content-Type header must be application/json");
  const json = text();
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw invalid([{ field: "body", message: "must be valid JSON" }]);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalid([{ field: "body", message: "must be a JSON object" }]);
  return parse(schema, value);
}

function parse(schema: z.ZodObject, value: object): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalid(parsed.error.issues.map(({ path, message }) => ({ field: path.join("."), message })));
}

function invalid(issues: FieldIssue[]): AppError {
  const sentence = issues.map(({ field, message }) => `${field} ${message}`).join("; ");
  return new AppError("invalid_request", sentence, { issues });
}

/** The body's bytes; null when there are more. */
async function readBytes({ body }: Request, maxBytes: number): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body ?? []) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes + MAX_DISCARDED_BYTES) break;
      if (bytes <= maxBytes) chunks.push(chunk);
    }
  } catch {
    throw invalid([{ field: "body", message: "must come to its end" }]);
  }
  return bytes > maxBytes ? null : Buffer.concat(chunks);
}

function asText(bytes: Buffer | null, maxBytes: number): string {
  if (!bytes) throw tooLarge(maxBytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalid([{ field: "body", message: "must be UTF-8 text" }]);
  }
}

function tooLarge(maxBytes: number): AppError {
  return new AppError("payload_too_large", `The body must not be larger than ${maxBytes} bytes`);
}
