import { Writable } from "node:stream";
import { pino } from "pino";
import { expect, it } from "vitest";
import { createLogMailer } from "./email";

it("logging mailer writes a line without the address", async () => {
  let logged = "";
  const sink = new Writable({
    write(line, _, done) {
      logged += line;
      done();
    },
  });
  const mail = {
    to: "scout@example.com",
    subject: "WATCH: Pixel Foundry grew 12.5% in one day",
    html: "<p>12.5 %</p>",
    text: "12.5 %",
    headers: {},
    tags: {},
    idempotencyKey: "alert/1",
  };
  await createLogMailer(pino(sink)).send(mail);
  expect(JSON.parse(logged)).toMatchObject({ mail: { idempotencyKey: "alert/1" }, msg: "mail not sent" });
  expect(logged).not.toContain("scout@example.com");
});
