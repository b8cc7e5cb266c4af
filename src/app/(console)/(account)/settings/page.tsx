import type { Metadata } from "next";
import { PageHeader } from "../../_ui/page-header";
import { AlertEmail } from "./alert-email";

export const metadata: Metadata = { title: "Settings" };

export default function SettingsPage() {
  return (
    <>
      <PageHeader title="Settings" />
      <AlertEmail />
    </>
  );
}
