import styles from "./button.module.css";
import { ButtonLink } from "./button-link";
import { MessagePage } from "./message-page";

/** What a reader sees when a page could not be made. `error` may carry a digest, which is also in the log. */
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
                If it keeps failing, tell the operator this reference: <code>{digest}</code>
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
