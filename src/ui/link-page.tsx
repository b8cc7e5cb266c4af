import type { ReactNode } from "react";

interface LinkPageProps {
  title: string;
  children: ReactNode;
  /** What the one button does; none once it is done, or where the link is not valid. */
  action?: { url: string; label: string };
}

/** The page behind a link in a mail: what it is about and at most one button. Works without JavaScript. */
export function LinkPage({ title, children, action }: LinkPageProps) {
  return (
    <main className="page link-page">
      <h1>{title}</h1>
      <p>{children}</p>
      {action && (
        <form method="post" action={action.url}>
          <button type="submit">{action.label}</button>
        </form>
      )}
    </main>
  );
}
