import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { Mail, type Mailer } from "@/core/mail/email";

/**
 * The embedded mailer. It writes each mail as three files: .html, .txt, and .json with all fields. Files are named by
 * the idempotency key, so a mail sent twice is stored once.
 */
export function createOutbox(folder: string): Mailer {
  return {
    name: "outbox",
    async send(mail) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // Unless ignored, the bundler adds every JSON file of the root to each function of the build.
      const file = path.join(
        /* turbopackIgnore: true */ folder,
        mail.idempotencyKey.replace(/[^A-Za-z0-9-]+/g, "-"),
      );
      await replaceFile(`${file}.html`, mail.html);
      await replaceFile(`${file}.txt`, mail.text);
      await replaceFile(`${file}.json`, `${JSON.stringify(mail, null, 2)}\n`);
      return null;
    },
  };
}

/** The mails in an outbox, newest first. */
export async function readOutbox(folder: string, limit: number): Promise<{ mail: Mail; writtenAt: Date }[]> {
  const names = await readdir(folder).catch(() => []);
  const files = await Promise.all(
    names
      .filter((name) => name.endsWith(".json"))
      .map(async (name) => {
        const file = path.join(/* turbopackIgnore: true */ folder, name);
        return { file, writtenAt: (await stat(file)).mtime };
      }),
  );
  files.sort((one, other) => other.writtenAt.getTime() - one.writtenAt.getTime());
  return Promise.all(
    files.slice(0, limit).map(async ({ file, writtenAt }) => ({
      mail: Mail.parse(JSON.parse(await readFile(file, "utf8"))),
      writtenAt,
    })),
  );
}

/** Replaces a file in one step, so that readers never see half of it. */
async function replaceFile(file: string, content: string): Promise<void> {
  const part = `${file}.${randomUUID()}.part`;
  await writeFile(part, content, { mode: 0o600 });
  await rename(part, file);
}
