import type { Metadata } from "next";
import { PageHeader } from "../../_ui/page-header";
import { Suggestions } from "./suggestions";

export const metadata: Metadata = { title: "Discover" };

export default function DiscoverPage() {
  return (
    <>
      <PageHeader title="Discover" lead="Each search counts as one request, as it does by the API." />
      <Suggestions />
    </>
  );
}
