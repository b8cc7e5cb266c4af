import type { Metadata } from "next";
import { firstSteps } from "@/features/keys/service";
import { appContext } from "@/server/context";
import { requireKey } from "../../_server/session";
import { Overview } from "./overview";

export const metadata: Metadata = { title: "Overview" };

export default async function OverviewPage() {
  const ctx = appContext();
  const { id } = await requireKey();
  // Known before the first paint, so that nothing moves when the steps come in or stay away.
  return <Overview appUrl={ctx.env.appUrl} firstSteps={await firstSteps(ctx, id)} />;
}
