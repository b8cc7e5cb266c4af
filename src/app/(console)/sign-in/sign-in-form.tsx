"use client";

import { Button, PasswordInput } from "@mantine/core";
import { useRef, useState } from "react";
import { getFieldError, toFailure } from "../_client/failure";
import { trpc } from "../_client/trpc";
import { FailureNotice } from "../_ui/query-state";

/** Signs in with a key and keeps a refused input. @param leadsTo a path of this site */
export function SignInForm({ leadsTo }: { leadsTo: string }) {
  const [typed, setTyped] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const signIn = trpc.sessions.signIn.useMutation({
    // Full page load, so that no data of an earlier session stays in memory.
    onSuccess: () => location.assign(leadsTo),
    onError: () => input.current?.focus(),
  });
  const wrong = getFieldError(signIn.error, "key");

  async function submit(form: FormData) {
    const key = String(form.get("key") ?? "");
    setTyped(key);
    await signIn.mutateAsync({ key }).catch(() => {});
  }

  return (
    // An action, not a handler: React then queues a submit before hydration and keeps the key out of the URL.
    <form action={submit} noValidate>
      {/* Password managers need a user name. */}
      <input name="username" autoComplete="username" value="API key" readOnly hidden />
      <PasswordInput
        ref={input}
        autoFocus
        name="key"
        label="API key"
        placeholder="cg_…"
        size="md"
        defaultValue={typed}
        autoComplete="current-password"
        autoCapitalize="off"
        spellCheck={false}
        required
        withAsterisk={false}
        error={wrong && `This key ${wrong}.`}
        errorProps={{ role: "alert" }}
        aria-invalid={wrong !== undefined}
        visibilityToggleButtonProps={{ "aria-label": "Show or hide the key", "aria-hidden": false, tabIndex: 0 }}
      />
      {signIn.error && toFailure(signIn.error).issues.length === 0 && <FailureNotice error={signIn.error} />}
      <Button type="submit" size="md" fullWidth mt="md" loading={signIn.isPending || signIn.isSuccess}>
        Sign in
      </Button>
    </form>
  );
}
