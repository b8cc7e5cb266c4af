import { z } from "zod";
import type { Contract, DocumentedError, Example, Tag } from "@/core/contract";
import { ERROR_STATUS, INVALID_API_KEY } from "@/core/errors";
import { TIER_LIMITS, TIERS } from "@/core/tiers";
import { CONTRACTS } from "./contracts";
import { healthContract } from "./health";
import { exampleCall, type Site, SNIPPET_LANGUAGES, snippetsOf } from "./snippets";

const DESCRIPTION = `Detects rising creators on a video platform. Discover creators by niche, track them, and get an alert when one grows by
more than 10 % in a day.

- **Key**: every request carries \`X-API-Key\`. Keys are issued by the operator. A missing, mistyped or revoked key is 401.
- **Limit**: each key has a number of requests per UTC day by its tier: ${TIERS.map((tier) => `${tier} ${TIER_LIMITS[tier]}`).join(", ")}.
  Every request with a valid key counts 1 whatever its outcome, also with an unknown path or a wrong method; one refused
  with 429 does not count.
- **HEAD**: every GET endpoint also answers HEAD, with the same status and headers and no body. It counts 1 like GET.
- **Methods**: a path asked with a method it has not is 405 with \`Allow\`; an unknown path is 404. Both are JSON.
- **Unknown members**: query parameters and body fields that are not described are ignored. Answers may gain members.
- **Repeats**: every POST and DELETE is safe to repeat; no idempotency key is needed.
- **Times** are ISO 8601 in UTC and end in Z. \`null\` means unknown or not set, never zero.`;

const TAGS: Record<Tag, string> = {
  Discovery: "Find creators worth tracking.",
  Tracking: "The creators whose counts are read every day at 06:00 UTC for the key.",
  Alerts: "One-day growth above 10 %, and the address it is mailed to.",
  Usage: "What the key has used of its day.",
  Service: "The state of the service; no key needed.",
};

const Success = z.object({ status: z.literal("ok") });

const Failure = z.object({ error: z.string().describe("What is wrong, for a person to read") });

interface FailureKind {
  /** Name of the response, and of its schema where that is its own. */
  name: string;
  description: string;
  schema: z.ZodObject;
  example: object;
  /** Whether the request has been let in and counted by then. */
  isCounted: boolean;
  retries?: boolean;
}

/** Every failure a client can meet. `internal` is the one nobody expected. */
export const FAILURES: Record<DocumentedError | "internal", FailureKind> = {
  invalid_request: {
    name: "InvalidRequest",
    description: "A parameter or field is wrong. `issues` names each one and what it may be.",
    schema: Failure.extend({
      issues: z.array(
        z.object({
          field: z.string().describe("Name of the parameter or field; `body` for the body as a whole"),
          message: z.string().describe("What it must be"),
        }),
      ),
    }).meta({ id: "InvalidRequest" }),
    example: {
      error: "limit must be a whole number from 1 to 100",
      issues: [{ field: "limit", message: "must be a whole number from 1 to 100" }],
    },
    isCounted: true,
  },
  unauthorized: {
    name: "Unauthorized",
    description: "The key is missing, mistyped, unknown or revoked; the answer is the same for every cause.",
    schema: z.object({ error: z.literal(INVALID_API_KEY) }).meta({ id: "Unauthorized" }),
    example: { error: INVALID_API_KEY },
    isCounted: false,
  },
  not_found: {
    name: "NotFound",
    description: "There is no such resource, or none of this key.",
    schema: Failure.meta({ id: "Failure" }),
    example: { error: "This key does not track a creator with that channel_id" },
    isCounted: true,
  },
  payload_too_large: {
    name: "PayloadTooLarge",
    description: "The body is larger than 16 KiB.",
    schema: Failure.meta({ id: "Failure" }),
    example: { error: "The body must not be larger than 16384 bytes" },
    isCounted: true,
  },
  unsupported_media_type: {
    name: "UnsupportedMediaType",
    description: "The Content-Type is not application/json.",
    schema: Failure.meta({ id: "Failure" }),
    example: { error: "The Content-Type header must be application/json" },
    isCounted: true,
  },
  quota_exceeded: {
    name: "QuotaExceeded",
    description: "The key has used its requests of the UTC day. This request was not counted.",
    schema: z
      .object({
        error: z.literal("Daily rate limit reached"),
        tier: z.enum(TIERS),
        limit: z.int().describe("Requests per day of the tier"),
        used: z.int().describe("Requests counted today"),
        resets_at: z.literal("midnight UTC"),
      })
      .meta({ id: "QuotaExceeded" }),
    example: {
      error: "Daily rate limit reached",
      tier: "free",
      limit: TIER_LIMITS.free,
      used: TIER_LIMITS.free,
      resets_at: "midnight UTC",
    },
    isCounted: true,
    retries: true,
  },
  internal: {
    name: "Internal",
    description: "The service failed. Report the `X-Request-Id` to the operator.",
    schema: Failure.meta({ id: "Failure" }),
    example: { error: "The service failed to answer; please report the X-Request-Id" },
    isCounted: false,
  },
  unavailable: {
    name: "Unavailable",
    description: "The video platform or the database cannot answer right now. Try again after `Retry-After`.",
    schema: Failure.meta({ id: "Failure" }),
    example: { error: "The video platform cannot answer right now; please try again later" },
    isCounted: false,
    retries: true,
  },
};

const EVERYWHERE = {
  "X-Request-Id": {
    description: "Names this request in the service's log. A caller's own plain id is given back.",
    schema: { type: "string", pattern: "^[A-Za-z0-9_-]{8,64}$" },
    example: "req_5f0c1a9be27d43f6a1c2d3e4",
  },
  "Cache-Control": {
    description: "Answers are private to the key and not to be stored.",
    schema: { type: "string", const: "private, no-store" },
  },
};

const COUNTED = {
  "X-RateLimit-Limit": {
    description: "Requests per UTC day of the key",
    schema: { type: "integer", minimum: 1 },
    example: TIER_LIMITS.starter,
  },
  "X-RateLimit-Remaining": {
    description: "Requests left today",
    schema: { type: "integer", minimum: 0 },
    example: TIER_LIMITS.starter - 37,
  },
  "X-RateLimit-Tier": {
    description: "Tier of the key",
    schema: { type: "string", enum: TIERS },
    example: "starter",
  },
  "RateLimit-Policy": {
    description: "The limit in the standard form: `q` requests in `w` seconds",
    schema: { type: "string", pattern: '^"daily";q=\\d+;w=86400$' },
    example: `"daily";q=${TIER_LIMITS.starter};w=86400`,
  },
  RateLimit: {
    description: "What is left in the standard form: `r` requests, anew in `t` seconds",
    schema: { type: "string", pattern: '^"daily";r=\\d+;t=\\d+$' },
    example: `"daily";r=${TIER_LIMITS.starter - 37};t=41230`,
  },
};

const RETRY = {
  "Retry-After": {
    description: "Whole seconds after which the same request may succeed; after 429 those until midnight UTC",
    schema: { type: "integer", minimum: 1 },
    example: 41230,
  },
};

/** The OpenAPI 3.1 document, made from the schemas that validate requests and type the answers. */
export function openApiDocument(site: Site): object {
  const document = {
    openapi: "3.1.0",
    info: {
      title: "Creator Growth Tracking Service",
      version: "1.0.0",
      description: DESCRIPTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    externalDocs: { description: "Guides", url: `${site.appUrl}/docs` },
    servers: [{ url: site.appUrl }],
    security: [{ apiKey: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: paths(site),
    components: {
      securitySchemes: {
        apiKey: {
          type: "apiKey",
          in: "header",
          name: "X-API-Key",
          description: "A key of the form `cg_` and 39 letters and digits, issued by the operator.",
        },
      },
      headers: Object.fromEntries(
        Object.entries({ ...EVERYWHERE, ...COUNTED, ...RETRY }).map(([name, header]) => [
          name,
          { ...header, required: true },
        ]),
      ),
      responses: Object.fromEntries(Object.values(FAILURES).map((kind) => [kind.name, failure(kind)])),
    },
  };
  return hoistSchemas(document);
}

function paths(site: Site): object {
  const found: Record<string, Record<string, object>> = {};
  for (const contract of [...CONTRACTS, healthContract])
    found[contract.path] = {
      ...found[contract.path],
      [contract.method.toLowerCase()]: operation(contract, site),
    };
  return found;
}

function operation(contract: Contract, site: Site): object {
  const { id, tag, summary, description, params, query, body } = contract;
  const example = exampleCall(contract, site);
  const snippets = snippetsOf(contract, site);
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description && { description }),
    ...(contract.open && { security: [] }),
    parameters: [...parameters("path", params, example.params), ...parameters("query", query, example.query)],
    ...(body && {
      requestBody: {
        required: true,
        content: { "application/json": { schema: toJsonSchema(body, "input"), example: example.body } },
      },
    }),
    responses: { 200: success(contract), ...failures(contract) },
    "x-codeSamples": SNIPPET_LANGUAGES.map(({ id, label }) => ({ lang: id, label, source: snippets[id] })),
  };
}

function success({ answer, example, open }: Contract): object {
  return {
    description: "Success",
    headers: headers({ isCounted: !open }),
    content: {
      "application/json": {
        schema: toJsonSchema(Success.extend(answer.shape), "output"),
        example: { status: "ok", ...example.answer },
      },
    },
  };
}

/** What can go wrong with a request of this shape, and with any. */
function failures({ params, query, body, open, errors = [] }: Contract): object {
  const codes: (keyof typeof FAILURES)[] = [
    ...(query || body ? (["invalid_request"] as const) : []),
    ...(params ? (["not_found"] as const) : []),
    ...(body ? (["payload_too_large", "unsupported_media_type"] as const) : []),
    ...(open ? [] : (["unauthorized", "quota_exceeded"] as const)),
    "internal",
    "unavailable",
    ...errors,
  ];
  return Object.fromEntries(
    codes.map((code) => [statusOf(code), { $ref: `#/components/responses/${FAILURES[code].name}` }]),
  );
}

/** The status of a failure. */
export function statusOf(code: keyof typeof FAILURES): number {
  return code === "internal" ? 500 : ERROR_STATUS[code];
}

function failure({ description, schema, example, isCounted, retries }: FailureKind): object {
  // A named schema is put among the components only where it is part of another one.
  const named = toJsonSchema(z.object({ schema }), "output") as {
    properties: { schema: object };
    $defs: object;
  };
  return {
    description,
    headers: headers({ isCounted, retries }),
    content: { "application/json": { schema: { ...named.properties.schema, $defs: named.$defs }, example } },
  };
}

/** References to the headers that an answer always has. */
function headers({ isCounted, retries }: { isCounted: boolean; retries?: boolean }): object {
  const names = Object.keys({ ...EVERYWHERE, ...(isCounted && COUNTED), ...(retries && RETRY) });
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function parameters(
  place: "path" | "query",
  schema: z.ZodObject | undefined,
  examples: Example["query"],
): object[] {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => {
    const omitted = z.safeParse(field, undefined);
    const required = place === "path" || !omitted.success;
    const { description, ...rest } = toJsonSchema(field, "input");
    const schema = omitted.data === undefined ? rest : { ...rest, default: omitted.data };
    return { name, in: place, required, description, schema, example: examples?.[name] };
  });
}

/** One thing that a request may carry, in words. */
interface ParameterText {
  name: string;
  place: "path" | "query" | "body";
  required: boolean;
  /** What values it may have. */
  bounds: string;
  description: string;
}

/** All that a request of an endpoint may carry, in words. */
export function parametersOf({ params, query, body }: Contract): ParameterText[] {
  const places = [["path", params] as const, ["query", query] as const, ["body", body] as const];
  return places.flatMap(([place, schema]) =>
    Object.entries(schema?.shape ?? {}).map(([name, field]) => {
      const omitted = z.safeParse(field, undefined);
      const { type, format, minimum, maximum, description = "" } = toJsonSchema(field, "input");
      const range = minimum === undefined ? "" : ` from ${minimum} to ${maximum}`;
      const preset = omitted.data === undefined ? "" : `, ${omitted.data} if left out`;
      const bounds = `${format ?? type}${range}${preset}`;
      return { name, place, required: place === "path" || !omitted.success, bounds, description };
    }),
  );
}

interface JsonSchema {
  [keyword: string]: unknown;
  description?: string;
}

function toJsonSchema(schema: z.core.$ZodType, io: "input" | "output"): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any", override: tidy });
  return rest;
}

/** Leaves out what says the same twice, and what would forbid answers to gain members. */
function tidy({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  delete jsonSchema.id;
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  // The same for those whose regular expressions know no classes of Unicode.
  jsonSchema.pattern = jsonSchema.pattern?.replaceAll("\\P{Cc}", "[^\\u0000-\\u001f\\u007f-\\u009f]");
  if (jsonSchema.type === "integer" || jsonSchema.format?.startsWith("date")) delete jsonSchema.pattern;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}

/** Writes "this or null" as JSON Schema does it in one: `type: [x, "null"]`. */
function plainlyNullable(value: JsonSchema | null): JsonSchema | null {
  if (!Array.isArray(value?.anyOf)) return value;
  const { anyOf, ...rest } = value;
  const [{ type, ...form }, other, ...others] = anyOf;
  if (typeof type !== "string" || other?.type !== "null" || others.length > 0) return value;
  return { type: [type, "null"], ...form, ...(form.enum && { enum: [...form.enum, null] }), ...rest };
}

/** Moves the schemas that zod put beside their users to the document's components. */
function hoistSchemas<Document extends { components: object }>(document: Document): object {
  const schemas: Record<string, unknown> = {};
  const text = JSON.stringify(document, (name, value) => {
    if (name !== "$defs") return value;
    Object.assign(schemas, value);
    return undefined;
  });
  const [whole, named] = [text, JSON.stringify(schemas)].map((json) =>
    JSON.parse(json.replaceAll("#/$defs/", "#/components/schemas/"), (_, value) => plainlyNullable(value)),
  );
  return { ...whole, components: { ...whole.components, schemas: named } };
}
