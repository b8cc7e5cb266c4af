import { SimpleGrid, Stack } from "@mantine/core";
import type { Metadata } from "next";
import { canCompareChannels, getAppContext } from "@/server/context";
import { Card } from "../../_ui/card";
import { PageHeader } from "../../_ui/page-header";
import { ThemeSwitch } from "../_shell/theme-switch";
import { AlertEmail, MutedCreatorsCard, WeeklyDigest } from "./emails";
import { KeyCard } from "./key-card";
import { SharedLinks } from "./shared-links";

export const metadata: Metadata = { title: "Settings" };

export default function SettingsPage() {
  const ctx = getAppContext();
  return (
    <>
      <PageHeader title="Settings" />
      <SimpleGrid cols={{ base: 1, lg: 2 }} style={{ alignItems: "start" }}>
        <Stack>
          <AlertEmail />
          <MutedCreatorsCard />
          <SharedLinks />
          <WeeklyDigest isAllowed={canCompareChannels(ctx)} />
          <Card title="Theme" isStatic>
            <ThemeSwitch />
          </Card>
        </Stack>
        <KeyCard contact={ctx.env.operatorContact} />
      </SimpleGrid>
    </>
  );
}
