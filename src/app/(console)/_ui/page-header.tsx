import { Group, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

interface PageHeaderProps {
  title: string;
  picture?: ReactNode;
  lead?: ReactNode;
  children?: ReactNode;
}

/** The head of a console page, with its only level 1 heading. */
export function PageHeader({ title, picture, lead, children }: PageHeaderProps) {
  return (
    <Group component="header" justify="space-between" align={picture ? "center" : "end"} gap="sm" mb="lg">
      {picture}
      <div style={{ flex: "1 1 14rem", minWidth: 0 }}>
        <Title order={1} size="h2">
          {title}
        </Title>
        {lead && <Text c="dimmed">{lead}</Text>}
      </div>
      {children}
    </Group>
  );
}
