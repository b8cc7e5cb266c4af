"use client";

import { type ReactNode, useActionState } from "react";
import type { Tier } from "@/db/values";
import { TIER_NAMES } from "@/features/usage/tiers.rules";
import button from "@/ui/button.module.css";
import { CodeBlock } from "@/ui/code-block";
import { MessagePage } from "@/ui/message-page";
import { formatCurl } from "../../curl";
import styles from "./key.module.css";
import { type Redeemed, redeem } from "./redeem";

interface KeyRevealProps {
  token: string;
  label: string;
  tier: Tier;
  expires: string;
  appUrl: string;
  contact: ReactNode;
}

/** The button that makes the key, then the key. */
export function KeyReveal({ token, label, tier, expires, appUrl, contact }: KeyRevealProps) {
  const [{ secret, isUsed }, action, isPending] = useActionState<Redeemed>(
    // A second press must not replace the shown key by "used".
    async (shown) => (shown.secret === null ? redeem(token) : shown),
    { secret: null, isUsed: false },
  );
  if (isUsed)
    return (
      <MessagePage
        title="This link was already used"
        text={<>Its key was shown before and cannot be shown again. Contact {contact}.</>}
      />
    );
  if (secret === null)
    return (
      <MessagePage
        title="Your API key is ready"
        text={
          <>
            For <strong>{label}</strong>, {TIER_NAMES[tier]} plan. The key is shown once, so have a safe place ready.
            This link works until {expires}.
          </>
        }
        actions={
          <form action={action}>
            <button type="submit" className={button.primary} aria-disabled={isPending}>
              Show my key
            </button>
          </form>
        }
      />
    );
  return (
    <MessagePage
      title="Your API key"
      text="Copy it now. It is not stored in readable form and cannot be shown again."
      actions={
        <div className={styles.shown}>
          <CodeBlock label="API key" text={secret} />
          <h2>Your first request</h2>
          <CodeBlock label="Shell" text={formatCurl(`${appUrl}/api/discover?niche=gaming`, [], secret)} />
          <a className={button.primary} href="/sign-in">
            Open the console
          </a>
        </div>
      }
    />
  );
}
