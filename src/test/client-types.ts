import { writeFileSync } from "node:fs";
import { register } from "node:module";
import { fileURLToPath } from "node:url";
import { buildOpenApiDocument } from "@/server/docs/openapi";

/** Path of the generated types. */
export const CLIENT_TYPES = "src/client/types.ts";

// openapi-typescript needs the classic compiler API, which TypeScript 7 does not have.
const classicCompiler = `export const resolve = (name, context, next) =>
  next(name === "typescript" ? "@ts-morph/common/dist/typescript.js" : name, context);`;

/** Generates the typed client's types from the OpenAPI document. */
export async function generateClientTypes(): Promise<string> {
  register(`data:text/javascript,${encodeURIComponent(classicCompiler)}`);
  const { default: generate, astToString } = await import("openapi-typescript");
  const types = astToString(
    await generate(
      JSON.stringify(buildOpenApiDocument({ appUrl: "https://growth.example", sample: true, hasSandbox: true })),
    ),
  );
  return `// Generated from the OpenAPI document by \`npm run tools -- client:types\`. Not to be edited.\n${types}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(CLIENT_TYPES, await generateClientTypes());
