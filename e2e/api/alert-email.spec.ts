import { expect, expectError, expectInvalid, test } from "../fixtures";

const PATH = "/api/alerts/email";
const NO_DELIVERY = { delivery: null, delivery_since: null, delivery_hint: null };
const ACTIVE = {
  delivery: "active",
  delivery_since: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  delivery_hint: null,
};

test.describe("GET, POST and DELETE /api/alerts/email", () => {
  test("GET returns null when no address is set", async ({ api }) => {
    const { status, body } = await api.get(PATH);
    expect([status, body]).toEqual([200, { status: "ok", email: null, ...NO_DELIVERY }]);
  });

  test("POST sets the address and returns status, message and email", async ({ api }) => {
    const { status, body } = await api.post(PATH, { email: "scout@example.com" });
    expect(status).toBe(200);
    expect(body).toEqual({
      status: "ok",
      message: expect.stringContaining("scout@example.com"),
      email: "scout@example.com",
      ...ACTIVE,
    });
    expect((await api.get(PATH)).body).toEqual({ status: "ok", email: "scout@example.com", ...ACTIVE });
  });

  test("POST replaces the previous address: one address per key", async ({ api }) => {
    await api.post(PATH, { email: "first@example.com" });
    const { status, body } = await api.post(PATH, { email: "second@example.com" });
    expect([status, body.email]).toEqual([200, "second@example.com"]);
    expect((await api.get(PATH)).body).toEqual({ status: "ok", email: "second@example.com", ...ACTIVE });
  });

  test("POST of the same address returns 200 and changes nothing", async ({ api }) => {
    const first = await api.post(PATH, { email: "scout@example.com" });
    const second = await api.post(PATH, { email: "scout@example.com" });
    expect([second.status, second.body]).toEqual([200, first.body]);
  });

  test("DELETE clears the address, and returns 200 again when none is set", async ({ api }) => {
    await api.post(PATH, { email: "scout@example.com" });
    for (let time = 1; time <= 2; time++) {
      const { status, body } = await api.delete(PATH);
      expect([status, body]).toEqual([200, { status: "ok", message: expect.stringMatching(/\S/), email: null }]);
    }
    expect((await api.get(PATH)).body).toEqual({ status: "ok", email: null, ...NO_DELIVERY });
  });

  test("POST keeps the current address when it refuses the new one", async ({ api }) => {
    await api.post(PATH, { email: "scout@example.com" });
    expectInvalid(await api.post(PATH, { email: "nobody" }), "email");
    expect((await api.get(PATH)).body).toMatchObject({ email: "scout@example.com" });
  });

  for (const email of [
    "A.Scout+growth@Sub.Example.co.uk",
    "o'brien@example.com",
    "x@xn--bcher-kva.example",
    `${"l".repeat(64)}@example.com`,
  ])
    test(`POST accepts ${email} as written`, async ({ pro }) => {
      const { status, body } = await pro.post(PATH, { email });
      expect([status, body.email]).toEqual([200, email]);
    });

  test("POST trims spaces around an address", async ({ api }) => {
    expect((await api.post(PATH, { email: "  scout@example.com " })).body.email).toBe("scout@example.com");
    expect((await api.get(PATH)).body.email).toBe("scout@example.com");
  });

  test("POST ignores unknown body fields", async ({ api }) => {
    const { status, body } = await api.post(PATH, { email: "scout@example.com", status: "no", key_id: "x" });
    expect([status, body.email]).toEqual([200, "scout@example.com"]);
  });

  for (const email of [
    "",
    " ",
    "scout",
    "scout@",
    "@example.com",
    "scout@example",
    "scout@example..com",
    "scout@.example.com",
    "scout@-example.com",
    "scout@@example.com",
    "sco ut@example.com",
    "scout@exam ple.com",
    "scout.@example.com",
    "sc..out@example.com",
    "Scout <scout@example.com>",
    "scout@example.com, other@example.com",
    "scout@example.com;other@example.com",
    "mailto:scout@example.com",
    "scout@example.com\r\nBcc: other@example.com",
    "sc\u0000out@example.com",
    "scout@example.com\u0000",
    "scout@example.com\u200b",
    `${"long".repeat(60)}@${"example".repeat(9)}.com`,
  ])
    test(`POST refuses the malformed address ${JSON.stringify(email).slice(0, 50)} with 400 that names email`, async ({
      pro,
    }) => {
      expectInvalid(await pro.post(PATH, { email }), "email");
    });

  for (const email of [null, 5, true, ["scout@example.com"], { address: "scout@example.com" }])
    test(`POST refuses ${JSON.stringify(email)}, which is not a string, with 400 that names email`, async ({ pro }) => {
      expectInvalid(await pro.post(PATH, { email }), "email");
    });

  test("POST refuses a body without email with 400 that names email", async ({ pro }) => {
    expectInvalid(await pro.post(PATH, {}), "email");
    expectInvalid(await pro.post(PATH, { Email: "scout@example.com" }), "email");
  });

  test("PUT and PATCH return 405", async ({ pro }) => {
    for (const method of ["PUT", "PATCH"]) {
      const answer = await pro.call(method, PATH, { body: { email: "scout@example.com" } });
      expectError(answer, 405);
      expect(answer.headers.get("allow")?.split(", ").sort()).toEqual(["DELETE", "GET", "HEAD", "POST"]);
    }
  });
});
