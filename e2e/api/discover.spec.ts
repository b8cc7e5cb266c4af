import type { Answer, Creator } from "../client";
import { expect, expectInvalid, requireValue, test } from "../fixtures";
import { CREATOR_FIELDS } from "./creator-fields";

const FIELDS = [
  ...["as_of", "creators", "expected_at", "hint", "niche", "niche_status", "pagination"],
  ...["related_niche", "status"],
];

function getAlertLevel(score: number | null): string {
  if (score === null) return "STABLE";
  if (score >= 75) return "HIGH_GROWTH";
  if (score >= 50) return "RISING";
  return score >= 25 ? "WATCH" : "STABLE";
}

/** The parts of a response that do not change between reads. */
function pickStableFields({ body }: Answer) {
  return { niche: body.niche, as_of: body.as_of, creators: listIds(requireValue(body.creators)).sort() };
}

const listIds = (creators: Creator[]) => creators.map(({ channel_id }) => channel_id);

test.describe("GET /api/discover", () => {
  test("returns the creators of the niche with status and total", async ({ pro }) => {
    const { status, body } = await pro.get("/api/discover?niche=gaming&limit=50");
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(FIELDS);
    const indexed = { niche_status: "indexed", related_niche: null, expected_at: null, hint: null };
    expect(body).toMatchObject({ status: "ok", niche: "gaming", ...indexed });
    expect(body.pagination).toMatchObject({
      total: requireValue(body.creators).length,
      offset: 0,
      limit: 50,
    });
    expect(body.as_of).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
    expect(requireValue(body.creators).length).toBeGreaterThan(5);
  });

  test("returns exactly the documented fields, with alert_level derived from the score", async ({ pro }) => {
    const { body } = await pro.get("/api/discover?niche=gaming");
    for (const creator of requireValue(body.creators)) {
      expect(Object.keys(creator).sort()).toEqual(CREATOR_FIELDS);
      const { counts, score } = creator;
      if (counts === "known") expect([...Array(101).keys()]).toContain(score);
      else expect(score).toBeNull();
      expect(creator.alert_level).toBe(getAlertLevel(creator.score));
      expect(creator.channel_id).toMatch(/^UC[A-Za-z0-9_-]{22}$/);
      expect(creator.url).toBe(`https://www.youtube.com/channel/${creator.channel_id}`);
      expect(creator.status).toBe("active");
    }
  });

  test("sorts by measured growth, then score, or as sort says", async ({ pro }) => {
    for (const sort of ["score", "subscribers"] as const) {
      const { body } = await pro.get(`/api/discover?niche=gaming&sort=${sort}`);
      const values = requireValue(body.creators).map((creator) => [
        creator.score_basis === "history" ? 1 : 0,
        creator[sort] ?? -1,
      ]);
      expect(values).toEqual(values.toSorted(([a = 0, b = 0], [c = 0, d = 0]) => c - a || d - b));
    }
  });

  test("answers any niche: common, misspelled, nonsense or a channel", async ({ api, pro }) => {
    await pro.get("/api/discover?niche=technology");
    for (const [niche, status, hint] of [
      ["technology", "indexed", null],
      ["techonlogy", "indexed", 'Did you mean "technology"?'],
      ["qqqqqq", "indexed", "No creators found: try another spelling or niche."],
      ["wwwwww", "queued", "This niche is queued: ask again after expected_at."],
      ["@sprocketowl", "indexed", "This is a channel, not a niche: track it with POST /api/track."],
    ] as const) {
      const answer = await api.get(`/api/discover?niche=${encodeURIComponent(niche)}`);
      expect([answer.status, answer.body.niche]).toEqual([200, niche]);
      expect(answer.body).toMatchObject({ niche_status: status, hint });
      expect(Object.keys(answer.body).sort()).toEqual(FIELDS);
    }
    expect((await api.get("/api/usage")).body).toMatchObject({
      requests_today: 6,
      new_niches_today: 2,
      new_niches_limit: 2,
    });
  });

  test("trims the niche and ignores its case", async ({ pro }) => {
    const plain = pickStableFields(await pro.get("/api/discover?niche=technology&limit=50"));
    for (const niche of ["TECHNOLOGY", "%20Technology%20", "+technology+"])
      expect(pickStableFields(await pro.get(`/api/discover?niche=${niche}&limit=50`))).toEqual(plain);
  });

  test("treats hyphen, space and plural spellings as one niche", async ({ pro }) => {
    const plain = pickStableFields(await pro.get("/api/discover?niche=travel&limit=50"));
    for (const niche of ["tra-vel", "tra%20vel", "Travels", "t_ravel"])
      expect(pickStableFields(await pro.get(`/api/discover?niche=${niche}&limit=50`))).toEqual(plain);
  });

  test("queues a niche over the key's daily limit and returns the nearest known niche, if any", async ({
    api,
    pro,
  }) => {
    const known = pickStableFields(await pro.get("/api/discover?niche=technology&limit=50"));
    for (const niche of ["quilt%20restoration", "hovercraft%20polo"])
      expect((await api.get(`/api/discover?niche=${niche}`)).status).toBe(200);
    const near = await api.get("/api/discover?niche=technology%20consoles&limit=50");
    expect(near.status).toBe(200);
    expect(pickStableFields(near)).toEqual({ ...known, niche: "technology consoles" });
    expect(near.body).toMatchObject({ niche_status: "related", related_niche: "technology" });
    const far = await api.get("/api/discover?niche=zzzzzz");
    expect(far.status).toBe(200);
    expect(far.body).toMatchObject({
      niche_status: "queued",
      related_niche: null,
      as_of: null,
      creators: [],
    });
    expect(far.body.expected_at).toMatch(/T00:30:00\.000Z$/);
    expect(pickStableFields(await api.get("/api/discover?niche=technology&limit=50"))).toEqual(known);
  });

  test("returns no creators for a niche without videos", async ({ pro }) => {
    const { status, body } = await pro.get("/api/discover?niche=underwater%20basket%20weaving");
    expect(status).toBe(200);
    expect(body).toMatchObject({ niche: "underwater basket weaving", creators: [] });
  });

  test("applies limit from 1 to 50, 20 by default", async ({ pro }) => {
    const listFoundIds = async (rest: string) =>
      listIds(requireValue((await pro.get(`/api/discover?niche=e${rest}`)).body.creators));
    const all = await listFoundIds("&limit=50");
    expect(new Set(all).size).toBe(50);
    for (const [rest, count] of [
      ["", 20],
      ["&limit=1", 1],
      ["&limit=20", 20],
    ] as const) {
      const some = await listFoundIds(rest);
      expect(some).toHaveLength(count);
      expect(all).toEqual(expect.arrayContaining(some));
    }
  });

  test("filters by min_subscribers and max_subscribers, bounds included", async ({ pro }) => {
    const findCreators = async (rest: string): Promise<Creator[]> =>
      requireValue((await pro.get(`/api/discover?niche=gaming&limit=50${rest}`)).body.creators);
    const known = (await findCreators("")).map(({ subscribers }) => subscribers).filter((count) => count !== null);
    const middle = requireValue(known.toSorted((a, b) => a - b)[Math.floor(known.length / 2)]);
    const listCounts = async (rest: string) => (await findCreators(rest)).map(({ subscribers }) => subscribers ?? -1);
    expect(await listCounts(`&min_subscribers=${middle}`)).toEqual(known.filter((count) => count >= middle));
    expect(await listCounts(`&max_subscribers=${middle}`)).toEqual(known.filter((count) => count <= middle));
    expect(await listCounts(`&min_subscribers=${middle}&max_subscribers=${middle}`)).toEqual([middle]);
  });

  test("returns the total and no creators after the last page, and filters by country", async ({ pro }) => {
    const all = await pro.get("/api/discover?niche=gaming&limit=50");
    const { total } = requireValue(all.body.pagination);
    const after = await pro.get(`/api/discover?niche=gaming&offset=${total}`);
    expect(after.body).toMatchObject({ pagination: { total, offset: total, has_more: false }, creators: [] });
    const british = await pro.get("/api/discover?niche=gaming&limit=50&country=gb");
    const expected = requireValue(all.body.creators).filter(({ country }) => country === "GB");
    expect(listIds(requireValue(british.body.creators))).toEqual(listIds(expected));
  });

  test("keeps as_of while results come from the stored index", async ({ pro }) => {
    const first = await pro.get("/api/discover?niche=gaming");
    const second = await pro.get("/api/discover?niche=gaming&limit=1");
    expect(second.body.as_of).toBe(first.body.as_of);
  });

  test("ignores unknown query parameters", async ({ pro }) => {
    const plain = pickStableFields(await pro.get("/api/discover?niche=gaming&limit=50"));
    const more = await pro.get("/api/discover?niche=gaming&limit=50&page=x&foo=bar");
    expect(pickStableFields(more)).toEqual(plain);
  });

  const tooLong = "x".repeat(101);
  for (const [query, field] of [
    ["", "niche"],
    ["niche=", "niche"],
    ["niche=%20%20", "niche"],
    [`niche=${tooLong}`, "niche"],
    ["niche=a%00b", "niche"],
    ["niche=a%0Ab", "niche"],
    ["niche=%09gaming", "niche"],
    ["niche=gaming&niche=gaming", "niche"],
    ["Niche=gaming", "niche"],
    ["niche=gaming&limit=0", "limit"],
    ["niche=gaming&limit=51", "limit"],
    ["niche=gaming&limit=5.0", "limit"],
    ["niche=gaming&limit=1&limit=2", "limit"],
    ["niche=gaming&offset=-1", "offset"],
    ["niche=gaming&offset=2147483648", "offset"],
    ["niche=gaming&sort=name", "sort"],
    ["niche=gaming&rising=yes", "rising"],
    ["niche=gaming&country=USA", "country"],
    ["niche=gaming&min_subscribers=1.5", "min_subscribers"],
    ["niche=gaming&max_subscribers=99999999999999999999", "max_subscribers"],
    ["niche=gaming&min_subscribers=5&max_subscribers=4", "min_subscribers"],
  ] as const)
    test(`refuses ?${query.replace(tooLong, "x…")} with 400 that names ${field}`, async ({ pro }) => {
      expectInvalid(await pro.get(`/api/discover?${query}`), field);
    });

  for (const field of ["min_subscribers", "max_subscribers"])
    test(`refuses ?${field}=many with a single issue for ${field}`, async ({ pro }) => {
      expectInvalid(await pro.get(`/api/discover?niche=gaming&${field}=many`), field);
    });

  test("accepts a niche of up to 100 characters after trimming", async ({ pro }) => {
    expect((await pro.get(`/api/discover?niche=%20${"y".repeat(100)}%20`)).status).toBe(200);
  });
});
