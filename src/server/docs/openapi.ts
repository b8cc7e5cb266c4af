import { z } from "zod";
import type { Contract, Example, FailureStatus } from "@/features/endpoint";
import { SANDBOX_KEY } from "@/features/keys/rules";
import { CLOCK_HEADER, SandboxState, SESSION_HEADER, SESSION_PATTERN } from "@/features/sandbox/schema";
import { formatPerTier } from "@/features/usage/tiers.rules";
import { CONTRACTS } from "@/server/api/endpoints";
import { FAILURES } from "@/server/api/failures";
import type { Site } from "@/server/context";
import { healthContract, statusContract } from "@/server/ops/status";
import product from "../../../package.json" with { type: "json" };
import { HEADERS, pickHeaders } from "./document-headers";
import { hoistSchemas, toJsonSchema, toReference } from "./json-schema";
import texts from "./openapi-texts.json" with { type: "json" };
import { buildSnippets, getExampleCall, SNIPPET_LANGUAGES } from "./snippets";

function buildDescription(hasSandbox: boolean): string {
  const lines = texts.description.filter((line) => hasSandbox || !line.startsWith("- **Sandbox**"));
  return lines.join("\n").replace("{sandboxKey}", SANDBOX_KEY).replace("{quota}", formatPerTier("requestsPerDay"));
}

const Success = z.object({ status: z.literal("ok").describe("Always ok") });
const KeyedSuccess = Success.extend({ sandbox: SandboxState.optional() });

export function buildOpenApiDocument(site: Site): object {
  const document = {
    openapi: "3.1.0",
    info: {
      title: "Creator Growth Tracking Service",
      version: product.version,
      description: buildDescription(site.hasSandbox),
      contact: buildContact(site),
      license: { name: "MIT", identifier: "MIT" },
    },
    externalDocs: { description: "Guides", url: `${site.appUrl}/docs` },
    servers: [{ url: site.appUrl }],
    security: [{ apiKey: [] }],
    tags: texts.tags,
    paths: buildPaths(site),
    components: {
      securitySchemes: {
        apiKey: {
          type: "apiKey",
          in: "header",
          name: "X-API-Key",
          description: `Your API key: \`cg_\` and 39 letters and digits.${site.hasSandbox ? ` To try the API without an account, send the public sandbox key \`${SANDBOX_KEY}\`.` : ""}`,
        },
      },
      parameters: { strict: STRICT_PARAMETER, ...(site.hasSandbox && SANDBOX_PARAMETERS) },
      headers: HEADERS,
      responses: Object.fromEntries(Object.values(FAILURES).map((kind) => [kind.name, buildFailure(kind)])),
    },
  };
  return hoistSchemas(document);
}

/** The operator: an email address, a page, or any other text. */
function buildContact({ appUrl, contact = "" }: Site): object {
  const name = "Operator of this service";
  if (z.email().safeParse(contact).success) return { name, email: contact };
  return { name, url: z.url().safeParse(contact).success ? contact : `${appUrl}/docs/authentication` };
}

/** Every endpoint of the document and of the guides. */
export const DOCUMENTED = [...CONTRACTS, healthContract, statusContract];

function buildPaths(site: Site): object {
  const found: Record<string, Record<string, object>> = {};
  for (const contract of DOCUMENTED)
    found[contract.path] = { ...found[contract.path], [contract.method.toLowerCase()]: buildOperation(contract, site) };
  return found;
}

function buildOperation(contract: Contract, site: Site): object {
  const { id, tag, summary, description, body } = contract;
  const example = getExampleCall(contract, site);
  const snippets = buildSnippets(contract, site);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    ...(contract.deprecated && { deprecated: true }),
    ...(contract.open && { security: [] }),
    parameters: [
      ...buildParameters(contract, example),
      ...(contract.open ? [] : [{ $ref: "#/components/parameters/strict" }]),
      ...(contract.open || !site.hasSandbox ? [] : SANDBOX_REFERENCES),
    ],
    ...(body && {
      requestBody: {
        required: true,
        content: buildContent(body.meta({ ...body.meta(), id: `${capitalise(id)}Input` }), "input", example.body),
      },
    }),
    responses: { 200: buildSuccess(contract), ...buildFailures(contract) },
    "x-codeSamples": SNIPPET_LANGUAGES.map(({ id, label }) => ({ lang: id, label, source: snippets[id] })),
  };
}

function buildContent(schema: z.ZodType, io: "input" | "output", example: object | undefined): object {
  return { "application/json": { schema: toReference(schema, io), example } };
}

const KEYED_HEADERS = ["sandbox", "counted", "lifetime", "ignored"] as const;

function buildSuccess({ id, method, answer, example, open, csv }: Contract): object {
  const whole = (open ? Success : KeyedSuccess).extend(answer.shape);
  return {
    description: "Success",
    headers: pickHeaders(...(open ? [] : KEYED_HEADERS), method === "GET" && "kept", csv && "csv"),
    content: {
      ...buildContent(whole.meta({ id: `${capitalise(id)}Answer` }), "output", { status: "ok", ...example.answer }),
      ...(csv && {
        "text/csv": {
          schema: { type: "string", description: `Columns: ${csv.columns.join(", ")}` },
          example: csv.example,
        },
      }),
    },
  };
}

function capitalise(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function buildFailures({ params, body, open, errors = [] }: Contract): object {
  const statuses: FailureStatus[] = [
    ...(open ? [] : ([400, 401, 429] as const)),
    ...(params ? ([404] as const) : []),
    ...(body ? ([413, 415] as const) : []),
    ...([405, 500, 503] as const),
    ...errors,
  ];
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${FAILURES[status].name}` }]),
  );
}

function buildFailure({ description, schema, example, headers }: (typeof FAILURES)[FailureStatus]): object {
  return {
    description,
    headers: pickHeaders("sandbox", "ignored", "help", ...headers),
    content: buildContent(schema, "output", example),
  };
}

const { strict, clock, session } = texts.parameters;
const STRICT_PARAMETER = { name: "strict", ...strict };
const SANDBOX_PARAMETERS = {
  [CLOCK_HEADER]: { name: CLOCK_HEADER, ...clock },
  [SESSION_HEADER]: {
    name: SESSION_HEADER,
    ...session,
    schema: { ...session.schema, pattern: SESSION_PATTERN.source },
  },
};

const SANDBOX_REFERENCES = Object.keys(SANDBOX_PARAMETERS).map((name) => ({ $ref: `#/components/parameters/${name}` }));

function buildParameters(contract: Contract, { params, query }: Omit<Example, "answer">): object[] {
  const examples = { ...params, ...query };
  const fields = listFields(contract).filter(({ place }) => place !== "body");
  return fields.map(({ name, place, required, preset, json: { description, ...json } }) => {
    const schema = preset === undefined ? json : { default: preset, ...json };
    return { name, in: place, required, description, schema, example: examples[name] };
  });
}

/** Parameters and body fields with their JSON Schema, whether they are required, and the value when they are left out. */
export function listFields({ params, query, body }: Contract) {
  return Object.entries({ path: params, query, body }).flatMap(([place, schema]) =>
    Object.entries(schema?.shape ?? {}).map(([name, field]) => {
      const omitted = z.safeParse(field, undefined);
      const required = place === "path" || !omitted.success;
      return { place, name, required, preset: omitted.data, json: toJsonSchema(field, "input") };
    }),
  );
}

/** The parameters and body fields of an endpoint, for its guide. */
export function listParameters(contract: Contract) {
  return listFields(contract).map(({ name, place, required, preset, json }) => {
    const { type = "string", format, enum: allowed, minimum, maximum, description = "" } = json;
    const form = format ?? (Array.isArray(allowed) ? allowed.join(" or ") : type);
    const range = minimum === undefined ? "" : ` from ${minimum} to ${maximum}`;
    const bounds = `${form}${range}${preset === undefined ? "" : `, default ${preset}`}`;
    return { name, place, required, bounds, description };
  });
}
