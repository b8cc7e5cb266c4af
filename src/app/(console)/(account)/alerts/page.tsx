import type { Metadata } from "next";
import { getAppContext } from "@/server/context";
import { PageHeader } from "../../_ui/page-header";
import { Inbox } from "./inbox";

export const metadata: Metadata = { title: "Alerts" };

export default function AlertsPage() {
  const { platform, env } = getAppContext();
  const origin = platform.name === "sample" ? "Counts are sample data" : "Counts come from YouTube";
  return (
    <>
      <PageHeader title="Alerts" lead={`${origin}; growth, severity, cause, outlook and outcome are our own.`} />
      <Inbox appUrl={env.appUrl} />
    </>
  );
}
