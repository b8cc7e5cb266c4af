import type { Metadata } from "next";
import { PageHeader } from "../../_ui/page-header";
import { QuotaCard } from "../overview/quota-card";

export const metadata: Metadata = { title: "Usage" };

export default function UsagePage() {
  return (
    <>
      <PageHeader title="Usage" />
      <QuotaCard />
    </>
  );
}
