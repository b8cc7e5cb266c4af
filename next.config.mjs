/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  // The service logs each request itself.
  logging: { incomingRequests: false },
  // A path under /api answers JSON at once, with or without a slash at its end.
  skipTrailingSlashRedirect: true,
  experimental: { optimizePackageImports: ["@mantine/core", "@mantine/hooks"] },
  serverExternalPackages: ["pino", "pino-pretty", "postgres"],
};

export default config;
