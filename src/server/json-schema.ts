import { z } from "zod";

/** A schema as documents show it. */
export interface JsonSchema {
  [keyword: string]: unknown;
  description?: string;
}

/** What zod says of a schema, tidied for readers. */
export function toJsonSchema(schema: z.core.$ZodType, io: "input" | "output"): JsonSchema {
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
export function hoistSchemas<Document extends { components: object }>(document: Document): object {
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
