"use client";

import { type ReactNode, useActionState } from "react";
import { formatCount } from "@/core/format";
import { TIERS } from "@/db/values";
import { formatPrice, TIER_NAMES, TIER_RULES } from "@/features/usage/tiers.rules";
import button from "@/ui/button.module.css";
import styles from "./request-key.module.css";
import { type FormState, submit } from "./submit";

const EMPTY: FormState = { sent: false, typed: {}, errors: {}, problem: null };

/** The form and, once sent, what follows. Works without scripts. */
export function RequestForm() {
  const [state, action, isPending] = useActionState(submit, EMPTY);
  if (state.sent)
    return (
      <div className={styles.sent} role="status">
        <h2>Request received</h2>
        <p>You get an answer by email within 24 hours. If approved, you get a link to your key.</p>
        <a className={button.quiet} href="/docs/quick-start">
          Read the quick start
        </a>
      </div>
    );
  const { typed, problem } = state;
  return (
    // The server validates, so that messages are the same with and without scripts.
    <form action={action} className={styles.form} noValidate>
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <Field name="name" label="Name" {...state}>
        {(control) => <input {...control} autoComplete="name" />}
      </Field>
      <Field name="email" label="Email" {...state}>
        {(control) => <input {...control} type="email" autoComplete="email" />}
      </Field>
      <Field name="tier" label="Plan" {...state}>
        {(control) => (
          // React resets a select after an action, so its key brings the choice back.
          <select key={typed.tier} {...control} defaultValue={typed.tier ?? "free"}>
            {TIERS.map((tier) => (
              <option key={tier} value={tier}>
                {`${TIER_NAMES[tier]}: ${formatCount(TIER_RULES[tier].requestsPerDay)} requests a day, ${formatPrice(tier)}`}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field name="purpose" label="What is it for?" note="Up to 1,000 characters" {...state}>
        {(control) => <textarea {...control} rows={5} />}
      </Field>
      {/* For programs that fill every field. */}
      <div className={styles.trap} aria-hidden="true">
        <label htmlFor="website">Leave this empty</label>
        <input id="website" name="website" tabIndex={-1} autoComplete="off" />
      </div>
      <button type="submit" className={button.primary} aria-disabled={isPending}>
        {isPending ? "Sending…" : "Send request"}
      </button>
      <p className={styles.small}>
        We keep your request for 90 days and use it only to answer you. See <a href="/privacy">Privacy</a>.
      </p>
    </form>
  );
}

interface FieldProps extends Pick<FormState, "typed" | "errors"> {
  name: keyof FormState["typed"];
  label: string;
  note?: string;
  children: (control: ReturnType<typeof getControl>) => ReactNode;
}

function Field({ name, label, note, typed, errors, children }: FieldProps) {
  const error = errors[name];
  return (
    <div className={styles.field}>
      <label htmlFor={name}>
        {label} {note && <span className={styles.small}>{note}</span>}
      </label>
      {children(getControl(name, typed[name], error))}
      {error && (
        <p id={`${name}-error`} className={styles.error} role="alert">
          {label === "What is it for?" ? "This text" : label} {error}
        </p>
      )}
    </div>
  );
}

function getControl(name: string, defaultValue: string | undefined, error: string | undefined) {
  const described = { "aria-invalid": error !== undefined, "aria-describedby": error && `${name}-error` };
  return { id: name, name, defaultValue, ...described };
}
