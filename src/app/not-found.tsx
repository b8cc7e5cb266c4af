import type { Metadata } from "next";
import { ButtonLink } from "@/ui/button-link";
import { MessagePage } from "@/ui/message-page";

export const metadata: Metadata = { title: "Page not found" };

export default function NotFoundPage() {
  return (
    <MessagePage
      title="Page not found"
      text="There is no page at this address. It may have moved, or the address may be mistyped."
      actions={
        <>
          <ButtonLink href="/">Home page</ButtonLink>
          <ButtonLink href="/api/openapi.json" quiet>
            OpenAPI document
          </ButtonLink>
        </>
      }
    />
  );
}
