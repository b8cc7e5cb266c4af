import { z } from "zod";
import { TIER_LIMITS, TIERS } from "@/core/config/tiers";
import type { Contract, Example, Tag } from "@/core/http/contract";
import { CONTRACTS } from "./contracts";
import { HEADERS, headers } from "./document-headers";
import { FAILURES, type FailureKind, statusOf } from "./failures";
import { healthContract } from "./health";
import { hoistSchemas, toJsonSchema } from "./json-schema";
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
      headers: HEADERS,
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

function failure({ description, schema, example, isCounted, retries, allows }: FailureKind): object {
  // A named schema is put among the components only where it is part of another one.
  const named = toJsonSchema(z.object({ schema }), "output") as {
    properties: { schema: object };
    $defs: object;
  };
  return {
    description,
    headers: headers({ isCounted, retries, allows }),
    content: { "application/json": { schema: { ...named.properties.schema, $defs: named.$defs }, example } },
  };
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
