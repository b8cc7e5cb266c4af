import { readdirSync } from "node:fs";
import { PHASE_DEVELOPMENT_SERVER } from "next/constants.js";

/** Packages with files of their own, which no bundle holds. */
const INSTALLED = ["pino", "pino-pretty", "prom-client"];
/** Bundling these takes a third of the time to the first page of `npm run dev`. Production bundles them. */
const LARGE = ["drizzle-orm", "inngest", "zod"];

const clientTarballs = readdirSync("public").filter((name) => name.endsWith(".tgz"));

/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  // The server that src/cli/serve.ts opens compresses, and so do serverless hosts.
  compress: false,
  reactStrictMode: true,
  // `npm run types` checks the types.
  typescript: { ignoreBuildErrors: true },
  // Its button would cover the account's name. Errors still open over the page.
  devIndicators: false,
  // The service logs each request itself.
  logging: { incomingRequests: false },
  // No page needs resized pictures, and resizing costs the server time.
  images: { unoptimized: true },
  // A path under /api answers JSON at once, with or without a slash at its end.
  skipTrailingSlashRedirect: true,
  experimental: {
    optimizePackageImports: ["@mantine/core", "@mantine/hooks"],
    // A page that was left is shown again at once for as long as its data count as fresh (see _client/trpc.ts).
    staleTimes: { dynamic: 60 },
  },
  // Read at request time, so tracing of imports does not find them.
  outputFileTracingIncludes: {
    "/docs/**": ["./src/guides/*.md"],
    "/privacy": ["./src/guides/privacy.md"],
    "/terms": ["./src/guides/terms.md"],
    "/mcp": ["./src/guides/*.md"],
    "/llms.txt": ["./src/guides/llms.md"],
    "/llms-full.txt": ["./src/guides/*.md"],
    "/changelog.xml": ["./src/guides/*.md"],
  },
  // The picture of an evidence card works without it, and it would triple the functions of a serverless host.
  outputFileTracingExcludes: { "/shared/**": ["./node_modules/sharp/**", "./node_modules/@img/**"] },
  rewrites: async () => [{ source: "/docs/:guide([a-z-]+).md", destination: "/docs/:guide/markdown" }],
  headers: async () => [
    // What src/proxy.ts leaves out because it is the same for all.
    ...["/_next/static/:path*", "/icon.svg", "/offline-worker.js"].map((source) => ({
      source,
      headers: [{ key: "X-Content-Type-Options", value: "nosniff" }],
    })),
    // Named one by one, so that the 404 of another version is not cached for a year.
    ...clientTarballs.map((name) => ({
      source: `/${name}`,
      headers: [
        { key: "Content-Type", value: "application/gzip" },
        { key: "Cache-Control", value: "public, max-age=31536000, immutable" },
        { key: "Access-Control-Allow-Origin", value: "*" },
      ],
    })),
  ],
};

/** @param {string} phase */
export default function configure(phase) {
  const isDev = phase === PHASE_DEVELOPMENT_SERVER;
  return { ...config, serverExternalPackages: isDev ? [...INSTALLED, ...LARGE] : INSTALLED };
}
