"use client";

import { FailurePage } from "@/ui/failure-page";
import "./globals.css";

/** Stands in for the root layout when that one fails. */
export default function GlobalErrorPage(props: { error: unknown; retry: () => void }) {
  return (
    <html lang="en">
      <body>
        <FailurePage {...props} />
      </body>
    </html>
  );
}
