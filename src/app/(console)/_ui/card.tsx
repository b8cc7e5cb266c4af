"use client";

import { Group, Card as MantineCard, Text, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";

interface CardProps {
  title: string;
  /** A few words beside the title. */
  aside?: string;
  /** True when all content is there at once, so no space is reserved. */
  isStatic?: boolean;
  children: ReactNode;
}

/** A box named by its level 2 heading. */
export function Card({ title, aside, isStatic, children }: CardProps) {
  const id = useId();
  return (
    <MantineCard
      component="section"
      aria-labelledby={id}
      withBorder
      padding="md"
      bg="var(--surface)"
      mih={isStatic ? undefined : 168}
    >
      <Group justify="space-between" align="baseline" gap={12} mb={12} wrap="nowrap">
        <Title order={2} size="0.9375rem" id={id}>
          {title}
        </Title>
        {aside && (
          <Text size="xs" c="dimmed">
            {aside}
          </Text>
        )}
      </Group>
      {children}
    </MantineCard>
  );
}
