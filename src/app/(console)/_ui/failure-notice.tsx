"use client";

import { Alert, Button, Code, Text } from "@mantine/core";
import { failureOf } from "../_client/failure";

interface FailureNoticeProps {
  error: unknown;
  /** Offered where the same call may succeed the next time. */
  retry?: () => void;
}

/** Says what failed, with the id under which the operator finds it, and offers to try again. */
export function FailureNotice({ error, retry }: FailureNoticeProps) {
  const { message, requestId } = failureOf(error);
  return (
    <Alert role="alert" variant="default" title="That did not work">
      <Text size="sm">{message}</Text>
      {requestId && (
        <Text size="sm" c="dimmed" mt={4}>
          Request id: <Code>{requestId}</Code>
        </Text>
      )}
      {retry && (
        <Button variant="default" size="xs" mt="sm" onClick={retry}>
          Try again
        </Button>
      )}
    </Alert>
  );
}
