import { z } from "zod";
import type { Contract } from "@/core/contract";
import { clearEmailContract, getEmailContract, setEmailContract } from "@/features/addresses/schema";
import { listAlertsContract } from "@/features/alerts/schema";
import {
  historyContract,
  listTrackedContract,
  trackContract,
  untrackContract,
} from "@/features/creators/schema";
import { discoverContract } from "@/features/discovery/schema";
import { usageContract } from "@/features/usage/schema";

/** Every endpoint that takes a key. */
export const CONTRACTS: readonly Contract[] = [
  discoverContract,
  trackContract,
  listTrackedContract,
  untrackContract,
  historyContract,
  listAlertsContract,
  getEmailContract,
  setEmailContract,
  clearEmailContract,
  usageContract,
];

const Success = z.object({ status: z.literal("ok") });

const Failure = z.object({
  error: z.string(),
  issues: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
});

/** The OpenAPI 3.1 document, made from the schemas that validate requests. */
export function openApiDocument(appUrl: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const contract of CONTRACTS) {
    paths[contract.path] = { ...paths[contract.path], [contract.method.toLowerCase()]: operation(contract) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Creator Growth Tracking Service", version: "1" },
    servers: [{ url: appUrl }],
    security: [{ apiKey: [] }],
    components: { securitySchemes: { apiKey: { type: "apiKey", in: "header", name: "X-API-Key" } } },
    paths,
  };
}

function operation({ summary, params, query, body, answer }: Contract): object {
  return {
    summary,
    parameters: [...parameters("path", params), ...parameters("query", query)],
    ...(body && { requestBody: { required: true, content: json(body, "input") } }),
    responses: {
      200: { description: "Success", content: json(Success.extend(answer.shape), "output") },
      default: { description: "Failure", content: json(Failure, "output") },
    },
  };
}

function parameters(place: "path" | "query", schema: z.ZodObject | undefined): object[] {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => {
    const required = place === "path" || !z.safeParse(field, undefined).success;
    return { name, in: place, required, schema: toJsonSchema(field, "input") };
  });
}

function json(schema: z.core.$ZodType, io: "input" | "output"): object {
  return { "application/json": { schema: toJsonSchema(schema, io) } };
}

function toJsonSchema(schema: z.core.$ZodType, io: "input" | "output"): object {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}
