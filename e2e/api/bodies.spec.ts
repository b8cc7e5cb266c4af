import { expect, expectError, expectInvalid, test } from "../fixtures";

const POSTS = [
  ["/api/track", { channel_id: "@juniperfivecrits" }],
  ["/api/alerts/email", { email: "scout@example.com" }],
] as const;

test.describe("body that cannot be parsed", () => {
  for (const [what, body] of [
    ["no body", ""],
    ["half an object", "{"],
    ["text", "channel_id=@juniperfivecrits"],
    ["a string", '"x"'],
    ["a number", "5"],
    ["an array", "[]"],
    ["null", "null"],
    ["bytes that are no UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
  ] as const)
    test(`refuses ${what} as a body with 400, an error and issues`, async ({ pro }) => {
      for (const [path] of POSTS) expectInvalid(await pro.post(path, body), "body");
    });
});

test.describe("Content-Type of a POST", () => {
  for (const type of [
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/json-patch+json",
    "application/jsonx",
    "json",
    "",
    undefined,
  ])
    test(`refuses Content-Type ${type ?? "missing"} with 415`, async ({ pro }) => {
      for (const [path, body] of POSTS)
        expectError(await pro.post(path, body, { headers: { "Content-Type": type } }), 415);
    });

  test("accepts application/json with parameters and in upper case", async ({ pro }) => {
    for (const type of ["application/json; charset=utf-8", "application/json;charset=UTF-8", "Application/JSON"])
      for (const [path, body] of POSTS)
        expect((await pro.post(path, body, { headers: { "Content-Type": type } })).status, type).toBe(200);
  });
});

test.describe("body size limit", () => {
  const sized = (bytes: number) => {
    const start = '{"email":"scout@example.com","x":"';
    return `${start}${"x".repeat(bytes - start.length - 2)}"}`;
  };

  test("accepts 16,384 bytes and refuses one more with 413", async ({ pro }) => {
    expect((await pro.post("/api/alerts/email", sized(16_384))).status).toBe(200);
    expectError(await pro.post("/api/alerts/email", sized(16_385)), 413);
  });

  test("counts bytes, not characters", async ({ pro }) => {
    expectError(await pro.post("/api/track", `{"x":"${"é".repeat(8_200)}"}`), 413);
  });

  test("refuses an oversized chunked body without a length with 413", async ({ pro }) => {
    const headers = { "Transfer-Encoding": "chunked", "Content-Length": undefined };
    expectError(await pro.post("/api/track", sized(17_000), { headers }), 413);
  });

  test("refuses a body of 5 MB with 413", async ({ pro }) => {
    expectError(await pro.post("/api/track", "x".repeat(5_000_000)), 413);
  });
});
