import type { Metadata } from "next";
import { getAppContext } from "@/server/context";
import { ButtonLink } from "@/ui/button-link";
import { Contact } from "@/ui/contact";
import { MessagePage } from "@/ui/message-page";
import { getPageRequestId } from "./request-id";

export const metadata: Metadata = { title: "Page not found" };

export default async function NotFoundPage() {
  const requestId = await getPageRequestId();
  return (
    <MessagePage
      title="Page not found"
      text={
        <>
          This page does not exist. Check the address. If a link on this site brought you here, report it to{" "}
          <Contact>{getAppContext().env.operatorContact}</Contact>
          {requestId && (
            <>
              {" "}
              with the request ID <code>{requestId}</code>
            </>
          )}
          .
        </>
      }
      actions={
        <>
          <ButtonLink href="/">Home page</ButtonLink>
          <ButtonLink href="/docs/quick-start" quiet>
            Documentation
          </ButtonLink>
        </>
      }
    />
  );
}
