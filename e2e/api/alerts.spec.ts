import { expect, expectInvalid, test } from "../fixtures";

test.describe("GET /api/alerts", () => {
  test("returns an empty list with a pagination object for a key without alerts", async ({ api }) => {
    const { status, body } = await api.get("/api/alerts");
    expect(status).toBe(200);
    expect(body).toEqual({
      status: "ok",
      pagination: { total: 0, offset: 0, limit: 20, has_more: false },
      alerts: [],
      next_after: null,
    });
  });

  test("creates no alert when a creator is tracked", async ({ api }) => {
    await api.post("/api/track", { channel_id: "@minkapressesstart" });
    expect((await api.get("/api/alerts")).body).toMatchObject({ pagination: { total: 0 }, alerts: [] });
  });

  for (const [query, applied] of [
    ["", { offset: 0, limit: 20 }],
    ["offset=0", { offset: 0, limit: 20 }],
    ["offset=1", { offset: 1, limit: 20 }],
    ["offset=2147483647", { offset: 2147483647, limit: 20 }],
    ["limit=1", { offset: 0, limit: 1 }],
    ["limit=100", { offset: 0, limit: 100 }],
    ["offset=40&limit=20", { offset: 40, limit: 20 }],
    ["limit=%35", { offset: 0, limit: 5 }],
    ["page=7&LIMIT=abc&limit[]=x", { offset: 0, limit: 20 }],
  ] as const)
    test(`?${query} applies offset ${applied.offset} and limit ${applied.limit}`, async ({ pro }) => {
      const { status, body } = await pro.get(`/api/alerts?${query}`);
      expect([status, body.pagination]).toEqual([200, { total: 0, ...applied, has_more: false }]);
    });

  for (const [query, field] of [
    ["offset=-1", "offset"],
    ["offset=2147483648", "offset"],
    ["offset=99999999999999999999", "offset"],
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["limit=-5", "limit"],
    ["limit=99999999999999999999", "limit"],
  ] as const)
    test(`refuses the out-of-range ?${query} with 400 that names ${field}`, async ({ pro }) => {
      expectInvalid(await pro.get(`/api/alerts?${query}`), field);
    });

  // URL-encoded.
  const NOT_PLAIN = `1e2 5.0 5. .5 %205 5%20 +5 5+ %2B5 -0 0x10 0b1 1_000 1,000 1%0A NaN Infinity null true abc
    %00 5%00 %D9%A5 %EF%BC%95 5;offset=1 [5] %EF%BF%BD`.split(/\s+/);
  for (const field of ["offset", "limit"])
    for (const value of ["", ...NOT_PLAIN])
      test(`refuses ${field}=${value}, not a plain integer, with 400 that names ${field}`, async ({ pro }) => {
        expectInvalid(await pro.get(`/api/alerts?${field}=${value}`), field);
      });

  test("refuses a parameter without a value with 400", async ({ pro }) => {
    expectInvalid(await pro.get("/api/alerts?limit"), "limit");
  });

  for (const query of ["limit=5&limit=5", "limit=5&limit=6", "limit=5&offset=1&limit="])
    test(`refuses the repeated parameter in ?${query} with 400 that names limit`, async ({ pro }) => {
      expectInvalid(await pro.get(`/api/alerts?${query}`), "limit");
    });

  test("names both fields when two parameters are wrong", async ({ pro }) => {
    const { status, body } = await pro.get("/api/alerts?offset=x&limit=y");
    expect(status).toBe(400);
    expect(body.issues?.map(({ field }) => field).sort()).toEqual(["limit", "offset"]);
    expect(body.error).toMatch(/offset.*0 to 2147483647/);
    expect(body.error).toMatch(/limit.*1 to 100/);
  });
});
