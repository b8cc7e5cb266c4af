import { slug as toAnchor } from "github-slugger";
import type { Metadata } from "next";
import { SANDBOX_KEY } from "@/features/keys/rules";
import { CONTRACTS } from "@/server/api/endpoints";
import { getAppContext } from "@/server/context";
import { DataTable } from "@/ui/data-table";
import { SitePage } from "../site-page";
import { Reference } from "./reference";
import { DocsSearch } from "./search";

export const metadata: Metadata = {
  title: "API reference",
  description: "Every endpoint, with requests that you can send with your key.",
};

/** The endpoints, and the interactive reference on demand. */
export default function ReferencePage() {
  const { hasSandbox } = getAppContext().env;
  const rows = CONTRACTS.map(({ id, method, path, summary }) => [
    <a key={id} href={`/docs/endpoints#${toAnchor(`${method} ${path}`)}`}>
      <code>
        {method} {path}
      </code>
    </a>,
    summary,
  ]);
  return (
    <SitePage hasOwnMain>
      <Reference>
        <noscript>
          <p>The interactive reference needs JavaScript. The pages below do not.</p>
        </noscript>
        <DocsSearch />
        {hasSandbox && (
          <p>
            No key yet? The <a href="/docs/sandbox">sandbox</a> key is public: <code>{SANDBOX_KEY}</code>
          </p>
        )}
        <h2>Endpoints</h2>
        <DataTable caption="Endpoints" columns={["Endpoint", "Does"]} rows={rows} isText />
        <p>
          <a href="/docs/quick-start">Quick start</a> · <a href="/docs/endpoints">All endpoints on one page</a> ·{" "}
          <a href="/docs/agents">Use it from an agent</a> · <a href="/api/openapi.json">OpenAPI document</a>
        </p>
      </Reference>
    </SitePage>
  );
}
