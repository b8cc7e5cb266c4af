"use client";

import { Card as MantineCard, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";

/** A box named by its level 2 heading. It reserves space for content that loads, unless it is static. */
export function Card({ title, isStatic, children }: { title: string; isStatic?: boolean; children: ReactNode }) {
  const id = useId();
  return (
    <MantineCard
      component="section"
      aria-labelledby={id}
      withBorder
      padding="md"
      fz="sm"
      bg="var(--surface)"
      mih={isStatic ? undefined : 168}
    >
      <Title order={2} size="0.9375rem" id={id} mb={12}>
        {title}
      </Title>
      {children}
    </MantineCard>
  );
}
