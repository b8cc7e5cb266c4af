import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
  CallToolRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import type { RequestContext } from "@/server/api/request";
import { getSite, type ServiceContext } from "@/server/context";
import { GUIDES, renderGuideMarkdown } from "@/server/docs/guides";
import product from "../../../package.json" with { type: "json" };
import texts from "./texts.json" with { type: "json" };
import { callTool, LISTED_TOOLS } from "./tools";

/** Shared because it is slow to make, though nothing here uses it. */
const VALIDATOR = new AjvJsonSchemaValidator();

/**
 * Answers a message with a new server, as the protocol requires without sessions.
 * @param presented the key, for tool calls
 * @throws what a tool or guide fails with, unless its result tells the agent
 */
export async function answerMessage(context: RequestContext, presented: string | null, message: object) {
  const { ctx, request } = context;
  let failure: unknown = null;
  /** Keeps errors from the library, which would tell the client their messages. */
  const guardWork = <T>(work: Promise<T>) =>
    work.catch((error) => {
      if (!(error instanceof McpError)) failure = error;
      throw error;
    });
  const server = new Server(getServerInfo(ctx), {
    capabilities: { tools: {}, resources: {} },
    instructions: buildInstructions(ctx),
    jsonSchemaValidator: VALIDATOR,
  });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: LISTED_TOOLS }));
  server.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: args = {} } }) =>
    guardWork(callTool(context, presented, { name, args })),
  );
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: GUIDE_RESOURCES }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [] }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => guardWork(readGuide(ctx, params.uri)));

  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  const response = await transport.handleRequest(request, { parsedBody: message });
  await server.close();
  if (failure !== null) throw failure;
  return response;
}

function getServerInfo({ env }: ServiceContext) {
  const title = "Creator Growth Tracking Service";
  return { name: "creator-growth", title, version: product.version, websiteUrl: `${env.appUrl}/docs/agents` };
}

/** What a host tells its model about the service. */
function buildInstructions(ctx: ServiceContext): string {
  const ofSampleData = getSite(ctx).sample ? ["This service runs on sample data: its creators are invented."] : [];
  return [...texts.instructions, ...ofSampleData].join(" ");
}

const MARKDOWN = "text/markdown";
const toGuideUri = (slug: string) => `guide://${slug}`;

const GUIDE_RESOURCES = GUIDES.map(({ slug, title, about }) => ({
  uri: toGuideUri(slug),
  name: slug,
  title,
  description: about,
  mimeType: MARKDOWN,
}));

/** The code of the protocol for a resource that does not exist. */
const RESOURCE_NOT_FOUND = -32_002;

async function readGuide(ctx: ServiceContext, uri: string) {
  const guide = GUIDES.find(({ slug }) => toGuideUri(slug) === uri);
  if (!guide) throw new McpError(RESOURCE_NOT_FOUND, "Resource not found", { uri });
  return { contents: [{ uri, mimeType: MARKDOWN, text: await renderGuideMarkdown(ctx, guide.slug) }] };
}
