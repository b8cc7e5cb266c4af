import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { z } from "zod";

/** The parts of an OpenAPI document that the check needs. */
const Document = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.object({ responses: z.record(z.string(), z.looseObject({})) }))),
  components: z.custom<object>(),
});

/** Not copied, because Ajv keeps what it compiled by the object. */
const Schema = z.custom<{ type?: unknown }>();
const Header = z.object({ required: z.boolean().default(false), schema: Schema });
const Response = z.object({
  headers: z.record(z.string(), z.looseObject({})),
  content: z.looseObject({ "application/json": z.object({ schema: Schema }) }),
});

interface GivenAnswer {
  method: string;
  path: string;
  status: number;
  headers: Headers;
  text: string;
}

/** Every operation of a document with its statuses. */
export function listOperations(document: object): { method: string; path: string; statuses: number[] }[] {
  return Object.entries(Document.parse(document).paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { responses }]) => ({
      method: method.toUpperCase(),
      path,
      statuses: Object.keys(responses).map(Number),
    })),
  );
}

/**
 * Checks status, headers and body of responses against an OpenAPI document. Undocumented fields are faults too.
 * @returns the faults of a response; null without faults, or when the document lacks the operation
 */
export function createDocumentCheck(document: object): (answer: GivenAnswer) => string | null {
  const { paths, components } = Document.parse(prepareSchemas(document));
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema({ $id: "document", components });
  const resolve = <T>(form: z.ZodType<T>, value: object): T =>
    form.parse("$ref" in value ? getValueAt({ components }, String(value.$ref)) : value);
  const check = (schema: object, value: unknown) => {
    const isValid = ajv.compile(schema);
    return isValid(value) ? [] : [ajv.errorsText(isValid.errors)];
  };

  return ({ method, path, status, headers, text }) => {
    const isHead = method === "HEAD";
    const [, operations = {}] = Object.entries(paths).find(([template]) => toPattern(template).test(path)) ?? [];
    // A 405 is documented with the methods that the path has.
    const isNone = ({ responses }: { responses: object }) => status === 405 && "405" in responses;
    const operation = operations[isHead ? "get" : method.toLowerCase()] ?? Object.values(operations).find(isNone);
    if (!operation) return null;
    // Only clients that send If-None-Match get it, which is no parameter of the document.
    if (status === 304) return text ? "304 has a body" : null;
    const documented = operation.responses[status];
    if (!documented) return "the status is not documented";
    const response = resolve(Response, documented);
    const faults = Object.entries(response.headers).flatMap(([name, given]) => {
      const { required, schema } = resolve(Header, given);
      const value = headers.get(name);
      if (value === null) return required ? [`${name} is missing`] : [];
      return check(schema, schema.type === "integer" ? Number(value) : value).map((fault) => `${name} ${fault}`);
    });
    if (isHead) return [...faults, ...(text ? ["HEAD has a body"] : [])].join("; ") || null;
    const isCsv = headers.get("content-type")?.startsWith("text/csv") && "text/csv" in response.content;
    if (isCsv) return faults.join("; ") || null;
    if (!headers.get("content-type")?.startsWith("application/json")) return "the body is not JSON";
    return [...faults, ...check(response.content["application/json"].schema, JSON.parse(text))].join("; ") || null;
  };
}

/** A pattern of the paths that match a template with `{name}`. */
function toPattern(template: string): RegExp {
  return new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}$`);
}

function getValueAt(document: object, ref: string): unknown {
  const names = ref.replace(/^document#\//, "").split("/");
  return names.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], document);
}

/** The document with `additionalProperties: false` for every object, and references by its name. */
function prepareSchemas(document: object): object {
  return JSON.parse(JSON.stringify(document).replaceAll('"#/components/', '"document#/components/'), (_, value) =>
    value?.type === "object" && value.properties ? { ...value, additionalProperties: false } : value,
  );
}
