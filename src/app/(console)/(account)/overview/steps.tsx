import { TextInput, Title } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { formatCurl } from "@/app/curl";
import { formatQuantity } from "@/core/format";
import { SECOND } from "@/core/time";
import type { FirstSteps } from "@/features/keys/service";
import { getFieldError, toFailure } from "../../_client/failure";
import { trpc } from "../../_client/trpc";
import { CopyAction } from "../../_ui/copy-action";
import { QuietButton } from "../../_ui/quiet-button";
import { ADD_BOX } from "../_add/add-box";
import styles from "./steps.module.css";

/** How soon a request from elsewhere shows. */
const CHECK_AFTER = 5 * SECOND;

/** The steps of a new key to its first alert, hidden once all are done. */
export function Steps({ appUrl, initial }: { appUrl: string; initial: FirstSteps }) {
  const { data: steps } = trpc.keys.firstSteps.useQuery(undefined, {
    initialData: initial,
    refetchInterval: ({ state }) => (state.data?.made_request ? false : CHECK_AFTER),
  });
  const { data: lists } = trpc.lists.all.useQuery();
  const { tracks_creator, has_address, made_request } = steps;
  const done = Object.values(steps).filter(Boolean).length;
  if (done === 3) return null;
  const command = formatCurl(`${appUrl}/api/track`);
  return (
    <aside className={styles.steps} aria-labelledby="steps">
      <Title order={2} size="0.9375rem" id="steps">
        To your first alert
      </Title>
      <p className={styles.count}>{done} of 3 done, the last is optional</p>
      <ol>
        <Step
          title="Track creators"
          number={1}
          done={
            tracks_creator && `${formatQuantity(lists?.tracked ?? 0, "creator")} tracked. One request adds up to 50.`
          }
        >
          <p>Paste a handle, a link, or a list of them.</p>
          <QuietButton onClick={() => document.getElementById(ADD_BOX)?.focus()}>Add creators</QuietButton>
        </Step>
        <Step title="Say where alerts go" number={2} done={has_address && "Alerts go to your email address."}>
          <p>One email on mornings when a creator jumps. None otherwise.</p>
          <AddressForm />
        </Step>
        <Step title="Make a request" number={3} done={made_request && "Your API key works."}>
          <p>The same list from your own tools. Ticks itself.</p>
          <div className={styles.command}>
            <code>{command}</code>
            <CopyAction text={command} label="Copy the command" />
          </div>
          <a href="/docs/quick-start">Quick start</a>
        </Step>
      </ol>
    </aside>
  );
}

interface StepProps {
  title: string;
  number: number;
  /** Shown in place of what to do once the step is done. */
  done: string | false;
  children: ReactNode;
}

function Step({ title, number, done, children }: StepProps) {
  return (
    <li className={styles.step} data-done={done !== false || undefined}>
      <span className={styles.mark} aria-hidden>
        {done ? <IconCheck size={13} stroke={2.5} /> : number}
      </span>
      <Title order={3} size="0.84375rem">
        {title}
        <span className="visually-hidden">{done ? " (done)" : " (open)"}</span>
      </Title>
      {done ? <p>{done}</p> : children}
    </li>
  );
}

function AddressForm() {
  const [typed, setTyped] = useState("");
  const utils = trpc.useUtils();
  const set = trpc.addresses.set.useMutation({
    onSuccess: () => Promise.all([utils.keys.firstSteps.invalidate(), utils.addresses.invalidate()]),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    set.mutate({ email: typed });
  };
  const wrong = getFieldError(set.error, "email");
  return (
    <form className={styles.address} onSubmit={submit} noValidate>
      <TextInput
        type="email"
        size="xs"
        autoComplete="email"
        aria-label="Email address for alerts"
        placeholder="Email address"
        value={typed}
        onChange={({ currentTarget: { value } }) => setTyped(value)}
        error={set.error && (wrong ? `The address ${wrong}.` : toFailure(set.error).message)}
        errorProps={{ role: "alert" }}
      />
      <QuietButton type="submit" loading={set.isPending}>
        Save
      </QuietButton>
    </form>
  );
}
