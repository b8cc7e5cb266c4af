"use client";

import { FailurePage } from "@/ui/failure-page";

export default function ErrorPage(props: { error: unknown; retry: () => void }) {
  return <FailurePage {...props} />;
}
