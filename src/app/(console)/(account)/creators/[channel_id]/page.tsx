import type { Metadata } from "next";
import { PageHeader } from "../../../_ui/page-header";
import { History } from "./history";

export const metadata: Metadata = { title: "Creator" };

interface CreatorPageProps {
  params: Promise<{ channel_id: string }>;
}

export default async function CreatorPage({ params }: CreatorPageProps) {
  const { channel_id } = await params;
  return (
    <>
      <PageHeader title="Creator" lead={channel_id} />
      <History channelId={channel_id} />
    </>
  );
}
