import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { Mail, type Mailer } from "@/core/mail/email";

/**
 * The embedded mailer: each mail becomes three files, for the eye (.html), the terminal (.txt) and programs (.json).
 * The file name is the idempotency key, so a mail sent twice is there once.
 */
export function createOutbox(folder: string): Mailer {
  return {
    name: "outbox",
    async send(mail, requireWanted) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      requireWanted();
      const name = mail.idempotencyKey.replace(/[^A-Za-z0-9-]+/g, "-");
      // Unless ignored, the bundler takes these for files of the build and adds the root's package.json to every function.
      await writeWhole(path.join(/* turbopackIgnore: true */ folder, `${name}.html`), mail.html);
      await writeWhole(path.join(/* turbopackIgnore: true */ folder, `${name}.txt`), mail.text);
      await writeWhole(
        path.join(/* turbopackIgnore: true */ folder, `${name}.json`),
        `${JSON.stringify(mail, null, 2)}\n`,
      );
      return null;
    },
  };
}

/** The mails of an outbox, the latest written first. */
export async function readOutbox(folder: string, limit: number): Promise<{ mail: Mail; writtenAt: Date }[]> {
  const names = await readdir(folder).catch(() => []);
  const files = await Promise.all(
    names
      .filter((name) => name.endsWith(".json"))
      .map(async (name) => ({
        file: path.join(/* turbopackIgnore: true */ folder, name),
        writtenAt: (await stat(path.join(/* turbopackIgnore: true */ folder, name))).mtime,
      })),
  );
  files.sort((one, other) => other.writtenAt.getTime() - one.writtenAt.getTime());
  return Promise.all(
    files.slice(0, limit).map(async ({ file, writtenAt }) => ({
      mail: Mail.parse(JSON.parse(await readFile(file, "utf8"))),
      writtenAt,
    })),
  );
}

/** A reader never sees half a file, whoever else writes the same one. */
async function writeWhole(file: string, content: string): Promise<void> {
  const part = `${file}.${randomUUID()}.part`;
  await writeFile(part, content, { mode: 0o600 });
  await rename(part, file);
}
