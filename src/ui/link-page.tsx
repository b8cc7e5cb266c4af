import type { ReactNode } from "react";
import button from "./button.module.css";
import { MessagePage } from "./message-page";

interface LinkPageProps {
  title: string;
  children: ReactNode;
  /** The button's action; absent once done or for an invalid link. */
  action?: { url: string; label: string };
}

/** The page behind a mail link, with at most one button. Works without JavaScript. */
export function LinkPage({ title, children, action }: LinkPageProps) {
  const form = action && (
    <form method="post" action={action.url}>
      <button type="submit" className={button.primary}>
        {action.label}
      </button>
    </form>
  );
  return <MessagePage title={title} text={children} actions={form} />;
}
