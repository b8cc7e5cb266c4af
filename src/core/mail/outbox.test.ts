import { mkdtemp, readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { toDate } from "@/core/time";
import type { Mail } from "./email";
import { createOutbox, readOutbox } from "./outbox";

function createMail(idempotencyKey: string, more: Partial<Mail> = {}): Mail {
  return {
    to: "scout@example.com",
    subject: "WATCH: Pixel Foundry grew 12.5% in one day",
    html: "<p>12.5 %</p>",
    text: "12.5 %",
    headers: { "List-Unsubscribe": "<https://growth.example/api/unsubscribe?token=t>" },
    tags: { kind: "alert" },
    idempotencyKey,
    ...more,
  };
}

describe("email outbox", () => {
  let parent: string;
  let folder: string;

  beforeEach(async () => {
    parent = await mkdtemp(path.join(tmpdir(), "creator-growth-outbox-"));
    folder = path.join(parent, "data", "outbox");
  });
  afterEach(() => rm(parent, { recursive: true, force: true }));

  const read = (name: string) => readFile(path.join(folder, name), "utf8");

  it("writes each email as .html, .txt and .json, readable only by its owner", async () => {
    await createOutbox(folder).send(createMail("alert/1"));
    expect((await readdir(folder)).sort()).toEqual(["alert-1.html", "alert-1.json", "alert-1.txt"]);
    expect(await read("alert-1.html")).toBe("<p>12.5 %</p>");
    expect(await read("alert-1.txt")).toBe("12.5 %");
    expect(JSON.parse(await read("alert-1.json"))).toEqual(createMail("alert/1"));
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(path.join(folder, "alert-1.json"))).mode & 0o777).toBe(0o600);
  });

  it("stores an email once, even if it is sent repeatedly and in parallel", async () => {
    const outboxes = [createOutbox(folder), createOutbox(folder)];
    for (const outbox of outboxes) for (let tries = 0; tries < 3; tries++) await outbox.send(createMail("alert/1"));
    await Promise.all(outboxes.map((outbox, at) => outbox.send(createMail(`alert/${at + 2}`))));
    await Promise.all(Array.from({ length: 20 }, () => createOutbox(folder).send(createMail("alert/3"))));
    expect((await readOutbox(folder, 10)).map((entry) => entry.mail.idempotencyKey).sort()).toEqual([
      "alert/1",
      "alert/2",
      "alert/3",
    ]);
  });

  it("stays in its folder for any idempotency key", async () => {
    await createOutbox(folder).send(createMail("../../etc/pass wd\n\u0000=1"));
    expect(await readdir(parent)).toEqual(["data"]);
    expect((await readdir(folder)).sort()).toEqual([
      "-etc-pass-wd-1.html",
      "-etc-pass-wd-1.json",
      "-etc-pass-wd-1.txt",
    ]);
  });

  it("lists emails newest first, up to a limit", async () => {
    const outbox = createOutbox(folder);
    for (const [key, at] of [
      ["alert/b", "2026-03-02T00:00:00Z"],
      ["alert/c", "2026-03-03T00:00:00Z"],
      ["alert/a", "2026-03-01T00:00:00Z"],
    ] as const) {
      await outbox.send(createMail(key));
      await utimes(path.join(folder, `${key.replace("/", "-")}.json`), toDate(at), toDate(at));
    }
    const entries = await readOutbox(folder, 2);
    expect(entries.map((entry) => entry.mail.idempotencyKey)).toEqual(["alert/c", "alert/b"]);
    expect(entries[0]?.writtenAt.toISOString()).toBe("2026-03-03T00:00:00.000Z");
    expect(entries[0]?.mail).toEqual(createMail("alert/c"));
  });

  it("forgets the mails that are over, with all their files", async () => {
    const outbox = createOutbox(folder);
    await outbox.send(createMail("alert/old"));
    await outbox.send(createMail("alert/new"));
    await utimes(path.join(folder, "alert-old.json"), toDate("2026-03-01T00:00:00Z"), toDate("2026-03-01T00:00:00Z"));
    await outbox.forget?.(({ writtenAt }) => writtenAt < toDate("2026-03-02T00:00:00Z"));
    expect((await readdir(folder)).sort()).toEqual(["alert-new.html", "alert-new.json", "alert-new.txt"]);
    await outbox.forget?.(({ mail }) => mail.to === "scout@example.com");
    expect(await readdir(folder)).toEqual([]);
  });

  it("is empty before its first email", async () => {
    expect(await readOutbox(folder, 10)).toEqual([]);
  });

  it("rejects when it cannot be written", async () => {
    await createOutbox(path.join(parent, "file")).send(createMail("alert/1"));
    await expect(createOutbox(path.join(parent, "file", "alert-1.txt")).send(createMail("alert/1"))).rejects.toThrow();
  });
});
