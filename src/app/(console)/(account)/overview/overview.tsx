"use client";

import { Button, SimpleGrid } from "@mantine/core";
import { IconCompass } from "@tabler/icons-react";
import Link from "next/link";
import type { FirstSteps } from "@/features/keys/schema";
import { PageHeader } from "../../_ui/page-header";
import { CollectionCard } from "./collection-card";
import { Onboarding } from "./onboarding";
import { QuotaCard } from "./quota-card";
import { TodaysAlerts } from "./todays-alerts";
import { TrackedCreators } from "./tracked-creators";

/** Rising creators, today's alerts and requests left. */
export function Overview({ appUrl, firstSteps }: { appUrl: string; firstSteps: FirstSteps }) {
  return (
    <>
      <PageHeader title="Overview">
        <Button component={Link} href="/discover" leftSection={<IconCompass size={18} aria-hidden />}>
          Discover creators
        </Button>
      </PageHeader>
      <Onboarding appUrl={appUrl} initial={firstSteps} />
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} mb="xl">
        <TodaysAlerts />
        <CollectionCard />
        <QuotaCard />
      </SimpleGrid>
      <TrackedCreators appUrl={appUrl} />
    </>
  );
}
