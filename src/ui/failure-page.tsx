import styles from "./button.module.css";
import { ButtonLink } from "./button-link";
import { MessagePage } from "./message-page";

/** What a reader sees when a page could not be made. `error` may carry a digest: the request's id, as the log has it. */
export function FailurePage({ error, retry }: { error: unknown; retry: () => void }) {
  const digest = error instanceof Error && "digest" in error ? error.digest : undefined;
  return (
    <>
      <title>Something went wrong</title>
      <MessagePage
        title="Something went wrong"
        text={
          <>
            The page could not be shown. Please try again in a moment.
            {typeof digest === "string" && (
              <>
                {" "}
                If it keeps failing, tell the operator this request id: <code>{digest}</code>. How to reach
                them is on the <a href="/#key">home page</a>.
              </>
            )}
          </>
        }
        actions={
          <>
            <button type="button" className={styles.primary} onClick={retry}>
              Try again
            </button>
            <ButtonLink href="/" quiet>
              Home page
            </ButtonLink>
          </>
        }
      />
    </>
  );
}
