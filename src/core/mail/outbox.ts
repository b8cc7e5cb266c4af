import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { type KeptMail, Mail, type Mailer } from "@/core/mail/email";

/** Writes each mail as .html, .txt and .json, named by its idempotency key, so that a repeated mail is stored once. */
export function createOutbox(folder: string): Mailer {
  return {
    name: "outbox",
    async send(mail) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // Unless ignored, the bundler adds every JSON file of the root to each function of the build.
      const file = path.join(/* turbopackIgnore: true */ folder, mail.idempotencyKey.replace(/[^A-Za-z0-9-]+/g, "-"));
      await replaceFile(`${file}.html`, mail.html);
      await replaceFile(`${file}.txt`, mail.text);
      await replaceFile(`${file}.json`, `${JSON.stringify(mail, null, 2)}\n`);
      return null;
    },
    async forget(isOver) {
      for (const { file, writtenAt } of await listFiles(folder)) {
        if (!isOver({ mail: await readMail(file), writtenAt })) continue;
        for (const type of ["html", "txt", "json"]) await rm(file.replace(/json$/, type), { force: true });
      }
    },
  };
}

/** The newest mails, newest first. */
export async function readOutbox(folder: string, limit: number): Promise<KeptMail[]> {
  const files = await listFiles(folder);
  files.sort((one, other) => other.writtenAt.getTime() - one.writtenAt.getTime());
  const newest = files.slice(0, limit);
  return Promise.all(newest.map(async ({ file, writtenAt }) => ({ mail: await readMail(file), writtenAt })));
}

async function listFiles(folder: string): Promise<{ file: string; writtenAt: Date }[]> {
  const names = await readdir(folder).catch(() => []);
  const paths = names
    .filter((name) => name.endsWith(".json"))
    .map((name) => path.join(/* turbopackIgnore: true */ folder, name));
  return Promise.all(paths.map(async (file) => ({ file, writtenAt: (await stat(file)).mtime })));
}

async function readMail(file: string): Promise<Mail> {
  return Mail.parse(JSON.parse(await readFile(file, "utf8")));
}

async function replaceFile(file: string, content: string): Promise<void> {
  const part = `${file}.${randomUUID()}.part`;
  await writeFile(part, content, { mode: 0o600 });
  await rename(part, file);
}
