import styles from "./button.module.css";
import { ButtonLink } from "./button-link";
import { parseDigest } from "./digest";
import { MessagePage } from "./message-page";

/** The error page. `error` may carry the request ID. */
export function FailurePage({ error, retry }: { error: unknown; retry: () => void }) {
  const id = parseDigest(error);
  return (
    <>
      <title>Something went wrong</title>
      <MessagePage
        title="Something went wrong"
        text={
          <>
            We could not load this page. Try again in a moment.
            {id !== null && (
              <>
                {" "}
                If it keeps failing, send the request ID <code>{id}</code> to the <a href="/request-key">operator</a>.
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
