import type { Metadata } from "next";
import { formatQuantity } from "@/core/format";
import { KEPT_DAYS } from "@/features/usage/request-log.rules";
import { getAppContext } from "@/server/context";
import { fillMarkdown } from "@/server/docs/guides";
import { TextPage } from "../text-page";

export const metadata: Metadata = { title: "Privacy" };

/** The privacy page, according to this service's configuration. */
export default async function PrivacyPage() {
  const { env } = getAppContext();
  const alertDays = env.alertRetentionDays;
  const text = await fillMarkdown("privacy", {
    contact: env.operatorContact,
    alertRetention:
      alertDays === null
        ? "Until the key is deleted"
        : `${formatQuantity(alertDays, "day")}, or until the key is deleted`,
    requestLogDays: formatQuantity(KEPT_DAYS, "day"),
    snapshotDays: formatQuantity(env.snapshotRetentionDays, "day"),
    processors: listProcessors().join("\n") || "Everything else stays on the operator’s own machine.",
  });
  return <TextPage>{text}</TextPage>;
}

function listProcessors(): string[] {
  const { email, jobs, quota, monitoring, database } = getAppContext().env;
  const uses = [
    email.kind === "resend" && "Resend delivers emails. It sees addresses and contents.",
    jobs.kind !== "embedded" && "Inngest runs the daily job. It sees channel and alert IDs.",
    quota.kind === "upstash" && "Upstash counts requests. It sees key IDs and their counters.",
    monitoring.kind === "webhook" && "The operator’s chat channel gets a copy of each alert with the label of its key.",
    database.kind === "hosted" && "A hosted database stores everything listed above.",
  ];
  return uses.flatMap((use) => (use ? [`- ${use}`] : []));
}
