import { mkdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";

/** A mail ready to leave. */
export interface Mail {
  to: string;
  subject: string;
  html: string;
  text: string;
  headers: Record<string, string>;
  /** The same key with the same mail is accepted once, however often it is sent. */
  idempotencyKey: string;
}

/** Where mails leave the service. `send` resolves once the mail has been accepted and throws when it was not. */
export interface Mailer {
  readonly name: "outbox";
  send(mail: Mail): Promise<void>;
}

/**
 * The embedded mailer: each mail becomes three files, for the eye (.html), the terminal (.txt) and programs (.json).
 * The file name is the idempotency key, so a mail sent twice is there once.
 */
export function createOutbox(folder: string): Mailer {
  return {
    name: "outbox",
    async send(mail) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const name = mail.idempotencyKey.replace(/[^A-Za-z0-9-]+/g, "-");
      await writeWhole(path.join(folder, `${name}.html`), mail.html);
      await writeWhole(path.join(folder, `${name}.txt`), mail.text);
      await writeWhole(path.join(folder, `${name}.json`), `${JSON.stringify(mail, null, 2)}\n`);
    },
  };
}

/** A reader never sees half a file, and a crash leaves none. */
async function writeWhole(file: string, content: string): Promise<void> {
  await writeFile(`${file}.part`, content, { mode: 0o600 });
  await rename(`${file}.part`, file);
}
