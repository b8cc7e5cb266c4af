import { Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { CodeExample } from "@/ui/code-example";

interface EmptyStateProps {
  title: string;
  /** Level of its heading: one below what it stands under. */
  order?: 2 | 3;
  text: ReactNode;
  /** The same as a request: what a program would do. */
  command?: string;
  /** The same as a button or a link. */
  children?: ReactNode;
}

/** In place of a list with nothing in it: what would fill it, as an action and as a command. */
export function EmptyState({ title, order = 3, text, command, children }: EmptyStateProps) {
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
          <CodeExample title="Or by the API" command={command} />
        </div>
      )}
    </Stack>
  );
}
