import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { getReturnPath } from "@/features/sessions/rules";
import { Brand } from "@/ui/brand";
import { KeyGuard } from "../_client/key-guard";
import { getCurrentKey, type SearchParams } from "../_server/page";
import styles from "./sign-in.module.css";
import { SignInForm } from "./sign-in-form";

export const metadata: Metadata = { title: "Sign in" };

export default async function SignInPage({ searchParams }: { searchParams: SearchParams }) {
  const { ended, to } = await searchParams;
  const path = getReturnPath([to].flat()[0]);
  const key = await getCurrentKey();
  if (key && !key.isDemo) redirect(path);
  return (
    <KeyGuard keyId={null}>
      <main className={styles.page}>
        {/* Full page load: the public pages have different styles. */}
        <a className={styles.brand} href="/">
          <Brand />
        </a>
        <div className={styles.card}>
          <h1>Sign in</h1>
          <p>
            {ended === undefined
              ? "Use the API key you received from the operator."
              : "Your session has ended. Sign in again with your API key."}
          </p>
          <SignInForm leadsTo={path} />
        </div>
        <p className={styles.help}>
          No key yet? <a href="/request-key">Request a key</a>, or see the <a href="/#pricing">plans</a>.
        </p>
      </main>
    </KeyGuard>
  );
}
