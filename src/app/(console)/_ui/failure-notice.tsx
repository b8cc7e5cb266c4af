import { Alert, Button, Code, Text } from "@mantine/core";
import { toFailure } from "../_client/failure";

interface FailureNoticeProps {
  error: unknown;
  /** Shown when the same call may succeed later. */
  retry?: () => void;
  /** What the retry costs; nothing by default. */
  cost?: string;
}

/** Shows an error with its request ID and a retry. */
export function FailureNotice({ error, retry, cost }: FailureNoticeProps) {
  const { message, requestId } = toFailure(error);
  return (
    <Alert role="alert" variant="default" title="Something went wrong">
      <Text size="sm">{message}</Text>
      {requestId && (
        <Text size="sm" c="dimmed" mt={4}>
          Request ID: <Code>{requestId}</Code>
        </Text>
      )}
      {retry && (
        <Button variant="default" size="xs" mt="sm" onClick={retry}>
          Try again{cost && ` (${cost})`}
        </Button>
      )}
    </Alert>
  );
}
