"use client";

import { Button, Group } from "@mantine/core";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { EmptyState } from "../../../_ui/empty-state";
import { PageHeader } from "../../../_ui/page-header";

/** Shown for creators the key does not track, existing or not. */
export function NotTracked() {
  const router = useRouter();
  // The router may show a page from before the creator was tracked.
  useEffect(() => router.refresh(), [router]);
  return (
    <>
      <PageHeader title="Not tracked" />
      <EmptyState
        title="You don’t track this creator"
        text="Track it to see its page. Search its niche, or open a creator you track."
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
