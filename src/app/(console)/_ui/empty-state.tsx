import { Button, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { CodeExample } from "@/ui/code-block";

interface EmptyStateProps {
  title: string;
  /** Heading level: one below the parent's. */
  order?: 2 | 3;
  text: ReactNode;
  /** The API request that does the same. */
  command?: string;
  children?: ReactNode;
}

/** An empty list, with the action and the API request that would fill it. */
export function EmptyState({ title, order = 2, text, command, children }: EmptyStateProps) {
  return (
    <Stack gap="sm" align="center" py="xl" px="md" ta="center">
      <Title order={order} size="h5">
        {title}
      </Title>
      <Text c="dimmed" maw="32rem">
        {text}
      </Text>
      {children}
      {command && (
        <div style={{ width: "100%", maxWidth: "40rem", textAlign: "left" }}>
          <CodeExample command={command} />
        </div>
      )}
    </Stack>
  );
}

/** A list that filters left empty. */
export function NoMatches({ clear, ...state }: Pick<EmptyStateProps, "title" | "text"> & { clear: () => void }) {
  return (
    <EmptyState {...state}>
      <Button variant="default" onClick={clear}>
        Clear filters
      </Button>
    </EmptyState>
  );
}
