import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { POST } from "@/app/demo/route";
import { fillMap } from "@/features/discovery/map.service";
import { revokeKey } from "@/features/keys/service";
import { useProcedures } from "@/test/console";
import { createKey } from "@/test/service";
import { appRouter } from "./router";

const REFUSAL = "This is a demo. Ask for a key to track creators.";

/** The names of all procedures that change something. tRPC's types keep them nested, its record is flat. */
const PROCEDURES = appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>;
const MUTATIONS = Object.keys(PROCEDURES).filter((name) => PROCEDURES[name]?._def.type === "mutation");
const PUBLIC = ["sessions.signIn", "sessions.signOut"];

describe("the demo's console", () => {
  const { service, reader, query, change, signIn, usedToday } = useProcedures();

  function open(headers: Record<string, string> = { "Sec-Fetch-Site": "same-origin" }): Promise<Response> {
    const all = { Cookie: reader.cookie, ...headers };
    return POST(new Request("http://growth.test/demo", { method: "POST", headers: all }));
  }

  async function openDemo(): Promise<void> {
    const [set = ""] = (await open()).headers.getSetCookie();
    reader.cookie = set.split(";")[0] ?? "";
  }

  const countRows = async () => {
    const tables = [
      "tracked_creators",
      "creator_lists",
      "creator_notes",
      "saved_views",
      "daily_usage",
      "alert_emails",
      "daily_allowances",
      "console_sessions",
      "shares",
      "api_keys",
    ];
    const counts = sql.join(
      tables.map((name) => sql`(select count(*)::int from ${sql.identifier(name)})`),
      sql`, `,
    );
    return service.db.execute(sql`select array[${counts}] as rows`);
  };

  beforeEach(async () => {
    reader.cookie = "";
    service.env.demoKeyId = reader.key.id;
  });

  it("opens without a key, shows the demo key's data, and never its secret", async () => {
    await openDemo();
    const facts = await query("keys.mine");
    expect(facts.status).toBe(200);
    expect(JSON.stringify(facts.body)).not.toContain(reader.key.secret);
    expect((await query("creators.tracked", {})).status).toBe(200);
  });

  it.each(MUTATIONS.filter((name) => !PUBLIC.includes(name)))("refuses %s and changes nothing", async (name) => {
    await openDemo();
    const before = await countRows();
    const answer = await change(name, name === "discovery.discover" ? { niche: "zeppelin racing" } : {});
    expect([answer.status, answer.error?.message]).toEqual([403, REFUSAL]);
    expect(await countRows()).toEqual(before);
  });

  it("searches the niches of the map without counting a request", async () => {
    await fillMap(service);
    await openDemo();
    const answer = await change("discovery.discover", { niche: "gaming" });
    expect(answer.status).toBe(200);
    expect(await usedToday()).toEqual({ requests_today: 0 });
  });

  it("leaves sessions of the same key that began with its secret alone", async () => {
    await signIn();
    const own = reader.cookie;
    await openDemo();
    expect(reader.cookie).toBe("");
    reader.cookie = own;
    expect((await change("lists.create", { name: "Mine" })).status).toBe(200);
  });

  it("ends with its key, and where the operator no longer allows it", async () => {
    await openDemo();
    service.env.demoKeyId = (await createKey(service)).id;
    expect((await query("keys.mine")).status).toBe(401);
    service.env.demoKeyId = reader.key.id;
    expect((await query("keys.mine")).status).toBe(200);
    await revokeKey(service, reader.key.id);
    expect((await query("keys.mine")).status).toBe(401);
  });

  it("opens for no other site's form, and nowhere without a demo key", async () => {
    for (const refuse of [() => open({ "Sec-Fetch-Site": "cross-site" }), () => openWithoutDemo()]) {
      const answer = await refuse();
      expect([answer.status, answer.headers.get("location"), answer.headers.getSetCookie()]).toEqual([303, "/", []]);
    }
  });

  function openWithoutDemo(): Promise<Response> {
    service.env.demoKeyId = null;
    return open();
  }
});
