import { Group, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

interface PageHeaderProps {
  title: string;
  /** One sentence, where the title does not say it all. */
  lead?: ReactNode;
  /** What can be done on the whole page. */
  children?: ReactNode;
}

/** The top of every page of the console: its one heading of level 1. */
export function PageHeader({ title, lead, children }: PageHeaderProps) {
  return (
    <Group component="header" justify="space-between" align="end" gap="sm" mb="lg">
      <div>
        <Title order={1} size="h2">
          {title}
        </Title>
        {lead && <Text c="dimmed">{lead}</Text>}
      </div>
      {children}
    </Group>
  );
}
