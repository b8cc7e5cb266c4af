"use client";

import { Card as MantineCard, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";

interface CardProps {
  title: string;
  /** Beside the title: a link or a number. */
  aside?: ReactNode;
  /** Whether it shows all it has at once: no room is kept for what is still to come. */
  isStatic?: boolean;
  children: ReactNode;
}

/** A box with a heading of level 2, which names it. */
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
      <div
        style={{
          display: "flex",
          justifyContent: "space-between",
          alignItems: "baseline",
          gap: 12,
          marginBottom: 12,
        }}
      >
        <Title order={2} size="0.9375rem" id={id}>
          {title}
        </Title>
        {aside}
      </div>
      {children}
    </MantineCard>
  );
}
