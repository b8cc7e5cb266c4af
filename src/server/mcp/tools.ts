import type { CallToolResult, Tool as ListedTool, ToolAnnotations } from "@modelcontextprotocol/sdk/types.js";
import { AppError, createFieldError, isAppError, isUnauthorized } from "@/core/errors";
import type { Contract } from "@/features/endpoint";
import { SandboxState } from "@/features/sandbox/schema";
import { sanitizeQuery } from "@/features/usage/request-log.rules";
import { withCaller } from "@/server/api/caller";
import { getEndpoint } from "@/server/api/endpoints";
import { parseFields } from "@/server/api/input";
import { logFailure, type RequestContext } from "@/server/api/request";
import { type JsonSchema, toJsonSchema } from "@/server/docs/json-schema";
import { listFields } from "@/server/docs/openapi";
import texts from "./texts.json" with { type: "json" };

/** An endpoint of the API as an agent sees it. */
interface Tool {
  title: string;
  description: string;
  /** The id of the endpoint. */
  endpoint: string;
  /** What differs from a tool that only reads. */
  annotations?: ToolAnnotations;
  /** Advice for a not_found error. */
  notFound?: string;
}

const TOOLS = new Map(Object.entries<Tool>(texts.tools));
const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

export const LISTED_TOOLS: ListedTool[] = [...TOOLS].map(([name, { title, description, endpoint, annotations }]) => {
  const { contract } = getEndpoint(endpoint);
  const schemas = { inputSchema: buildInputSchema(contract), outputSchema: buildOutputSchema(contract) };
  return { name, title, description, ...schemas, annotations: { ...READS, ...annotations } };
});

/** The parameters and fields of an endpoint. Files are not for agents, so there is no `format`. */
function listArguments(contract: Contract) {
  return listFields(contract).filter(({ name }) => name !== "format");
}

function buildInputSchema(contract: Contract) {
  const fields = listArguments(contract);
  const properties = fields.map(({ name, json, preset }) => [name, toPropertySchema(json, preset)]);
  return {
    type: "object" as const,
    properties: Object.fromEntries(properties),
    required: fields.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

/** A parameter for a model: truth values as such, and no regular expressions, which descriptions say in words. */
function toPropertySchema({ pattern, ...json }: JsonSchema, preset: unknown): JsonSchema {
  const { enum: choices, ...rest } = json;
  const schema = typeof preset === "boolean" ? { ...rest, type: "boolean" } : json;
  return preset === undefined ? schema : { ...schema, default: preset };
}

function buildOutputSchema({ answer }: Contract) {
  return { ...toJsonSchema(answer.extend({ sandbox: SandboxState.optional() }), "output"), type: "object" as const };
}

interface ToolCall {
  name: string;
  args: Record<string, unknown>;
}

/**
 * Counts a request of the key and runs a tool. Failures that the agent can act on become text results.
 * @throws any other failure, which the request answers as the API does
 */
export async function callTool(
  context: RequestContext,
  presented: string | null,
  { name, args }: ToolCall,
): Promise<CallToolResult> {
  const tool = TOOLS.get(name);
  const endpoint = tool && getEndpoint(tool.endpoint);
  try {
    if (endpoint) context.query = formatLoggedCall(name, endpoint.contract, args);
    const answer = await withCaller(context, presented, async ({ ctx, key, usedToday }) => {
      if (!endpoint) throw new AppError("not_found", `Unknown tool. Use one of ${[...TOOLS.keys()].join(", ")}.`);
      return endpoint.handle({ ctx, key, usedToday, ...parseArguments(endpoint.contract, name, args) });
    });
    return { content: [{ type: "text", text: JSON.stringify(answer) }], structuredContent: { ...answer } };
  } catch (error) {
    if (!isAppError(error) || isUnauthorized(error)) throw error;
    context.outcome = error.status;
    if (error.status >= 500) logFailure(context, error);
    return { content: [{ type: "text", text: explainError(error, tool) }], isError: true };
  }
}

/** A call as the request log shows it: like the query of its endpoint. */
function formatLoggedCall(tool: string, { params, query }: Contract, args: object): string {
  const known = Object.keys({ ...params?.shape, ...query?.shape });
  return sanitizeQuery(new URLSearchParams({ ...toTexts(args), tool }), ["tool", ...known]);
}

/** The arguments of a call, by the contract of its endpoint. @throws AppError `invalid_request` */
function parseArguments(contract: Contract, tool: string, args: object) {
  const names = listArguments(contract).map(({ name }) => name);
  const unknown = Object.keys(args).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw createFieldError(unknown, `is not an argument of ${tool}. Use ${names.join(", ") || "none"}.`);
  const { params, query, body } = contract;
  const compound = body ? undefined : Object.entries(omitNulls(args)).find(([, value]) => isCompound(value));
  if (compound) throw createFieldError(compound[0], "must be a single value, not a list or an object");
  return {
    params: params && parseFields(params, toTexts(args)),
    query: query && parseFields(query, toTexts(args)),
    body: body && parseFields(body, omitNulls(args)),
  };
}

/** The single values among arguments, as a query has them: models send numbers and truth values. */
function toTexts(args: object): Record<string, string> {
  const single = Object.entries(omitNulls(args)).filter(([, value]) => !isCompound(value));
  return Object.fromEntries(single.map(([name, value]) => [name, String(value)]));
}

function isCompound(value: unknown): boolean {
  return typeof value === "object";
}

/** Without nulls: models send them for what they leave out. */
function omitNulls(args: object): object {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
}

/** An error for a model to read. */
function explainError({ code, status, message, members = {}, retryAfter = 0 }: AppError, tool?: Tool): string {
  const { tier, limit, used, oldest_after } = members;
  if (code === "quota_exceeded")
    return `${message}: this ${tier} key has used ${used} of ${limit} requests. Tool calls work again after midnight UTC, in ${formatHours(retryAfter)}.`;
  if (code === "cursor_expired")
    return `The changes after this cursor are no longer kept. Call list_tracked and alerts again, then continue with after = ${oldest_after}.`;
  const sentence = /[.!?]$/.test(message) ? message : `${message}.`;
  if (status === 503 && retryAfter) return `${sentence} Wait ${retryAfter} seconds before the next try.`;
  return status === 404 && tool?.notFound ? `${sentence} ${tool.notFound}` : sentence;
}

function formatHours(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
