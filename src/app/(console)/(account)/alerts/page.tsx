import type { Metadata } from "next";
import { PageHeader } from "../../_ui/page-header";
import { TodaysAlerts } from "../overview/todays-alerts";

export const metadata: Metadata = { title: "Alerts" };

export default function AlertsPage() {
  return (
    <>
      <PageHeader title="Alerts" />
      <TodaysAlerts />
    </>
  );
}
