"use client";

import { Card as MantineCard, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";

interface CardProps {
  title: string;
  /** True when all content is there at once, so no space is reserved. */
  isStatic?: boolean;
  children: ReactNode;
}

/** A box named by its level 2 heading. */
export function Card({ title, isStatic, children }: CardProps) {
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
