"use client";

import { Button, Group } from "@mantine/core";
import Link from "next/link";
import { EmptyState } from "../../../_ui/empty-state";
import { PageHeader } from "../../../_ui/page-header";

/** For creators that the key does not track, whether they exist or not. */
export function NotTracked() {
  return (
    <>
      <PageHeader title="Not tracked" />
      <EmptyState
        order={2}
        title="This key does not track such a creator"
        text="Its page is there from the moment you track it. Find it by its niche, or look through those you track."
      >
        <Group gap="xs" justify="center">
          <Button component={Link} href="/discover">
            Discover creators
          </Button>
          <Button component={Link} href="/overview" variant="default">
            Back to the overview
          </Button>
        </Group>
      </EmptyState>
    </>
  );
}
