import { describe, expect, it } from "vitest";
import { readEnv } from "./env";

describe("readEnv", () => {
  it("accepts an empty environment: everything is embedded", () => {
    const env = readEnv({});
    expect(env).toMatchObject({
      mode: "development",
      port: 3000,
      appUrl: "http://localhost:3000",
      database: { kind: "embedded", url: undefined },
    });
  });

  it("takes an empty variable as unset", () => {
    expect(readEnv({ DATABASE_URL: "", PORT: "" })).toMatchObject({
      port: 3000,
      database: { kind: "embedded" },
    });
  });

  it("drops the slash at the end of APP_URL", () => {
    expect(readEnv({ APP_URL: "https://growth.example/" }).appUrl).toBe("https://growth.example");
  });

  it.each([
    [{ PORT: "0" }, /^PORT must be a whole number from 1 to 65535$/],
    [{ PORT: "http" }, /^PORT must be a whole number from 1 to 65535$/],
    [{ APP_URL: "growth.example" }, /^APP_URL must be an http or https address/],
    [{ LOG_LEVEL: "loud" }, /^LOG_LEVEL must be one of debug, info/],
    [{ CREATORS_PER_STEP: "51" }, /^CREATORS_PER_STEP must be a whole number from 1 to 50$/],
    [{ SNAPSHOT_RETENTION_DAYS: "31" }, /^SNAPSHOT_RETENTION_DAYS must be a whole number from 2 to 30$/],
    [{ SESSION_SECRET: "short" }, /^SESSION_SECRET must have at least 32 characters$/],
    [{ DATABASE_URL: "postgres://db/app" }, /^SESSION_SECRET must be set together with DATABASE_URL/],
    [{ APP_URL: "https://growth.example/?a=b" }, /^APP_URL must not have a query or a fragment$/],
    [{ VERCEL: "1" }, /^VERCEL is set: a serverless host keeps neither/],
  ])("names the variable and what it accepts: %j", (variables, message) => {
    expect(() => readEnv(variables)).toThrow(message);
  });

  it("never repeats a value that may hold a password", () => {
    const read = () => readEnv({ DATABASE_URL: "mysql://root:hunter2@db/app" });
    expect(read).toThrow(/^DATABASE_URL must be a postgres:\/\/ connection string$/);
  });
});
