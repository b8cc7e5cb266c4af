import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { SANDBOX_KEY } from "@/features/keys/rules";
import { anonymous, expect, test } from "../fixtures";
import { getBaseUrl, PORT } from "../product";
import { isInstalled, listFences } from "../snippets";

const PROGRAMS = path.resolve("e2e/generated");
const DOCUMENT = `${getBaseUrl(PORT)}/api/openapi.json`;
const OPENAPI_GENERATOR = "7.25.0";
const OGEN = "v1.24.0";
const POSTMAN = "6.3.3";

/** A folder or a request of a Postman collection. */
interface PostmanItem {
  item?: PostmanItem[];
  request?: { header: { key: string; disabled?: boolean }[] };
}

let folder: string;
let channel: string;

/** Runs a command in the folder of the test, with the sandbox's key. @returns what it prints */
function run(command: string, cwd = folder): string {
  const variables = {
    GROWTH_URL: getBaseUrl(PORT),
    GROWTH_API_KEY: SANDBOX_KEY,
    GROWTH_CLOCK: "2030-01-01T12:00:00Z",
    GROWTH_CHANNEL: channel,
  };
  const options = { cwd, encoding: "utf8", env: { ...process.env, ...variables } } as const;
  const { status, stdout, stderr } = spawnSync("sh", ["-c", command], options);
  expect(status, `${command}\n${stdout}${stderr}`).toBe(0);
  return stdout;
}

function copyProgram(name: string, to: string): void {
  mkdirSync(path.dirname(path.join(folder, to)), { recursive: true });
  copyFileSync(path.join(PROGRAMS, name), path.join(folder, to));
}

async function runFences(language: string): Promise<void> {
  for (const text of await listFences(`${language} generated`)) {
    if (language === "go") writeFileSync(path.join(folder, "main.go"), text);
    else writeFileSync(path.join(folder, "main.py"), text);
    expect(run(language === "go" ? "go run main.go" : ".venv/bin/python main.py")).toContain("%");
  }
}

/** The commands of the guide that generate a client. */
async function generateAsInGuide(tool: string): Promise<void> {
  const commands = (await listFences("sh generated")).filter((text) => text.includes(tool));
  expect(commands).toHaveLength(1);
  run(commands.join("\n"));
}

/** Generates with OpenAPI Generator, which Maven fetches. */
function generateByJava(generator: string, to: string): void {
  const jar = `org.openapitools:openapi-generator-cli:${OPENAPI_GENERATOR}`;
  run(`mvn -q dependency:copy -Dartifact=${jar} -DoutputDirectory=${path.join(tmpdir(), "openapi-generator")}`);
  const file = path.join(tmpdir(), "openapi-generator", `openapi-generator-cli-${OPENAPI_GENERATOR}.jar`);
  run(`java -jar ${file} generate -i ${DOCUMENT} -g ${generator} -o ${to}`);
}

test.describe("a generated client compiles, reads alerts, tracks a creator and reads an error:", () => {
  test.describe.configure({ mode: "serial", timeout: 900_000 });

  test.beforeAll(async () => {
    const { body } = await anonymous.get("/api/track?limit=1", { key: SANDBOX_KEY });
    channel = body.creators?.[0]?.channel_id ?? "";
  });
  test.beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "generated-"));
  });
  test.afterEach(() => rmSync(folder, { recursive: true }));

  const expectAnswers = (printed: string) => expect(printed).toBe(`5 ${channel} 404 not_tracked\n`);

  test("openapi-python-client", { tag: "@nightly" }, async () => {
    test.skip(!isInstalled("python3"), "python3 is not installed: this generator is NOT checked");
    await generateAsInGuide("openapi-python-client");
    copyProgram("openapi_python_client.py", "program.py");
    expectAnswers(run(".venv/bin/python program.py"));
    await runFences("python");
  });

  test("oapi-codegen", { tag: "@nightly" }, async () => {
    test.skip(!isInstalled("go", "version"), "Go is not installed: this generator is NOT checked");
    await generateAsInGuide("oapi-codegen");
    copyProgram("oapi_codegen.go", "program/main.go");
    expectAnswers(run("go run ./program"));
    await runFences("go");
  });

  test("ogen", { tag: "@nightly" }, async () => {
    test.skip(!isInstalled("go", "version"), "Go is not installed: this generator is NOT checked");
    writeFileSync(path.join(folder, "openapi.json"), (await anonymous.get("/api/openapi.json")).text);
    run("go mod init example.com/report");
    run(`go run github.com/ogen-go/ogen/cmd/ogen@${OGEN} --target growth --package growth openapi.json`);
    copyProgram("ogen.go", "program/main.go");
    run("go mod tidy");
    expectAnswers(run("go run ./program"));
  });

  test("OpenAPI Generator for Go", { tag: "@nightly" }, () => {
    test.skip(!isInstalled("go", "version") || !isInstalled("mvn"), "Go or Maven is not installed: NOT checked");
    generateByJava("go", "client");
    copyProgram("openapi_generator.go", "client/program/main.go");
    run("go mod tidy", path.join(folder, "client"));
    expectAnswers(run("go run ./program", path.join(folder, "client")));
  });

  test("OpenAPI Generator for Python", { tag: "@nightly" }, () => {
    test.skip(!isInstalled("python3") || !isInstalled("mvn"), "Python or Maven is not installed: NOT checked");
    generateByJava("python", "client");
    run("python3 -m venv .venv && .venv/bin/pip install -q ./client");
    copyProgram("openapi_generator.py", "program.py");
    expectAnswers(run(".venv/bin/python program.py"));
  });

  test("OpenAPI Generator for typescript-fetch", { tag: "@nightly" }, () => {
    test.skip(!isInstalled("mvn"), "Maven is not installed: this generator is NOT checked");
    generateByJava("typescript-fetch", "client");
    copyProgram("openapi_generator.ts.txt", "program.ts");
    cpSync(path.resolve("node_modules/@types/node"), path.join(folder, "node_modules/@types/node"), {
      recursive: true,
    });
    cpSync(path.resolve("node_modules/undici-types"), path.join(folder, "node_modules/undici-types"), {
      recursive: true,
    });
    writeFileSync(path.join(folder, "package.json"), JSON.stringify({ type: "module" }));
    const flags = "--strict --target es2022 --module esnext --moduleResolution bundler --types node";
    run(`${path.resolve("node_modules/.bin/tsc")} --noEmit ${flags} program.ts`);
    expectAnswers(run(`${path.resolve("node_modules/.bin/tsx")} program.ts`));
  });
});

test("imported into Postman as the guide says, no request has a header of the sandbox", {
  tag: "@nightly",
}, async () => {
  folder = mkdtempSync(path.join(tmpdir(), "generated-"));
  writeFileSync(path.join(folder, "openapi.json"), (await anonymous.get("/api/openapi.json")).text);
  const converter = `npx -y --package=openapi-to-postmanv2@${POSTMAN} openapi2postmanv2`;
  run(`${converter} -s openapi.json -o collection.json -O enableOptionalParameters=false`);
  const listHeaders = ({ item = [], request }: PostmanItem): string[] => [
    ...item.flatMap(listHeaders),
    ...(request?.header ?? []).flatMap(({ key, disabled }) => (disabled ? [] : key)),
  ];
  const collection: PostmanItem = JSON.parse(readFileSync(path.join(folder, "collection.json"), "utf8"));
  expect(new Set(listHeaders(collection))).toEqual(new Set(["Accept", "Content-Type"]));
  rmSync(folder, { recursive: true });
});
