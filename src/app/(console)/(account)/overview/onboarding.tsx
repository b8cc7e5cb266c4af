"use client";

import { Button, Title } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import Link from "next/link";
import type { ReactNode } from "react";
import type { FirstSteps } from "@/features/keys/schema";
import { trpc } from "../../_client/trpc";
import { ADD_BOX } from "../_add/add-box";
import styles from "./overview.module.css";

/** Three steps for a new key, hidden once all are done. */
export function Onboarding({ appUrl, initial }: { appUrl: string; initial: FirstSteps }) {
  const { data: steps } = trpc.keys.firstSteps.useQuery(undefined, { initialData: initial });
  if (Object.values(steps).every(Boolean)) return null;
  return (
    <section className={styles.first} aria-labelledby="first">
      <Title order={2} size="sm" id="first">
        Three steps to your first alert
      </Title>
      <ol className={styles.steps}>
        <Step title="Track a creator" done={steps.tracks_creator}>
          <Button variant="default" size="compact-xs" onClick={() => document.getElementById(ADD_BOX)?.focus()}>
            Add a creator
          </Button>
        </Step>
        <Step title="Add an address for alert emails" done={steps.has_address}>
          <Button component={Link} href="/settings" variant="default" size="compact-xs">
            Add address
          </Button>
        </Step>
        <Step title="Make your first request" done={steps.made_request}>
          <code className={styles.command}>{`curl -H "X-API-Key: <API_KEY>" ${appUrl}/api/usage`}</code>
        </Step>
      </ol>
    </section>
  );
}

function Step({ title, done, children }: { title: string; done: boolean; children: ReactNode }) {
  return (
    <li className={styles.step} data-done={done || undefined}>
      <span className={styles.mark} data-done={done || undefined} aria-hidden>
        {done && <IconCheck size={12} />}
      </span>
      <span>
        {title}
        <span className="visually-hidden">{done ? " (done)" : " (open)"}</span>
      </span>
      {!done && children}
    </li>
  );
}
