import { Alert, Text } from "@mantine/core";
import { formatCount } from "@/core/format";
import { toFailure } from "../../_client/failure";
import { trpc } from "../../_client/trpc";
import { FailureNotice } from "../../_ui/query-state";
import { Distance, Instant } from "../../_ui/times";

interface CountedFailureProps {
  error: unknown;
  retry?: () => void;
  /** True when the retry uses a request. */
  isRetryCounted?: boolean;
  /** What the failure does not lose. */
  kept?: string;
}

/** The error of a call that uses a request; explains a used-up daily limit. */
export function CountedFailure({ error, retry, isRetryCounted, kept }: CountedFailureProps) {
  const { data: usage } = trpc.usage.today.useQuery();
  const { code, mayPass } = toFailure(error);
  return (
    <div style={{ marginBlock: "0.75rem" }}>
      {code === "TOO_MANY_REQUESTS" ? (
        <Alert role="alert" variant="default" title="No requests left today">
          <Text size="sm">
            You have used all {usage && `${formatCount(usage.requests_limit)} `}requests for today.{" "}
            {usage && (
              <>
                Your limit resets <Distance at={usage.resets_at} />, at midnight UTC (
                <Instant at={usage.resets_at} />
                ).{" "}
              </>
            )}
            {kept}
          </Text>
        </Alert>
      ) : (
        <FailureNotice
          error={error}
          retry={mayPass ? retry : undefined}
          cost={isRetryCounted ? "1 request" : undefined}
        />
      )}
    </div>
  );
}
