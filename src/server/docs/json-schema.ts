import { z } from "zod";

export interface JsonSchema {
  [keyword: string]: unknown;
  description?: string;
}

export function toJsonSchema(schema: z.core.$ZodType, io: "input" | "output"): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any", override: tidySchema });
  return rest;
}

/** A reference to a schema that has an id, with the schemas it needs in `$defs`. */
export function toReference(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  // zod moves a named schema to $defs only when it is part of another one.
  const { properties, $defs } = toJsonSchema(z.object({ schema }), io) as {
    properties: { schema: object };
    $defs: object;
  };
  return { ...properties.schema, $defs };
}

/** Removes redundant keywords, and the one that would forbid new fields in responses. */
function tidySchema({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  delete jsonSchema.id;
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  // Many regular expression engines lack Unicode classes.
  // Halves of surrogate pairs cannot occur in UTF-8.
  jsonSchema.pattern = jsonSchema.pattern?.replace("[^\\p{Cc}\\p{Cs}", "[^\\u0000-\\u001f\\u007f-\\u009f");
  const saysAll = ["date", "date-time", "uuid"].includes(jsonSchema.format ?? "");
  if (jsonSchema.type === "integer" || saysAll) delete jsonSchema.pattern;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}

/** Shortens `anyOf: [x, null]` to `type: [x, "null"]`. */
function shortenNullable(value: JsonSchema | null): JsonSchema | null {
  if (!Array.isArray(value?.anyOf)) return value;
  const { anyOf, ...rest } = value;
  const [{ type, ...form }, other, ...others] = anyOf;
  if (typeof type !== "string" || other?.type !== "null" || others.length > 0) return value;
  return { type: [type, "null"], ...form, ...(form.enum && { enum: [...form.enum, null] }), ...rest };
}

export function hoistSchemas<Document extends { components: object }>(document: Document): object {
  const schemas: Record<string, unknown> = {};
  const text = JSON.stringify(document, (name, value) => {
    if (name !== "$defs") return value;
    Object.assign(schemas, value);
    return undefined;
  });
  const [whole, named] = [text, JSON.stringify(schemas)].map((json) =>
    JSON.parse(json.replaceAll("#/$defs/", "#/components/schemas/"), (_, value) => shortenNullable(value)),
  );
  return { ...whole, components: { ...whole.components, schemas: named } };
}
