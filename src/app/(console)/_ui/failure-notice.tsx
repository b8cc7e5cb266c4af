import { Alert, Button, Code, Text } from "@mantine/core";
import { toFailure } from "../_client/failure";

/** Shows an error with its request ID and, where the same call may succeed later, a retry. @param cost of the retry */
export function FailureNotice({ error, retry, cost }: { error: unknown; retry?: () => void; cost?: string }) {
  const { message, requestId } = toFailure(error);
  return (
    <Alert role="alert" variant="default" title="Something went wrong">
      <Text size="sm">{message}</Text>
      {requestId && (
        <Text size="sm" c="dimmed" mt={4}>
          Request id: <Code>{requestId}</Code>
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
