import type { Metadata } from "next";
import { appContext } from "@/server/context";
import { PageHeader } from "../../_ui/page-header";
import { CostNote } from "./cost-note";
import { Discover } from "./discover";

export const metadata: Metadata = { title: "Discover" };

export default function DiscoverPage() {
  return (
    <>
      <PageHeader title="Discover" lead={<CostNote />} />
      <Discover niches={[...appContext().platform.niches]} appUrl={appContext().env.appUrl} />
    </>
  );
}
