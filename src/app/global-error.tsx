"use client";

import { FailurePage } from "@/ui/failure-page";
import "./globals.css";

/** Replaces the root layout when it fails. */
export default function GlobalErrorPage(props: { error: unknown; retry: () => void }) {
  return (
    <html lang="en">
      <body>
        <FailurePage {...props} />
      </body>
    </html>
  );
}
