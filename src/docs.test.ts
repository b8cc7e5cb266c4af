import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { readEnv } from "@/core/env";
import { createAddressMatcher, resolveClientAddress } from "@/core/http/client-address";
import { classifySeverity } from "@/features/alerts/rules";
import { listStagedEvents } from "@/platform/sample-cast";
import manifest from "../package.json" with { type: "json" };

const Compose = z.object({
  services: z.object({
    growth: z.object({ environment: z.record(z.string(), z.string()), networks: z.array(z.string()) }),
    caddy: z.object({ networks: z.array(z.string()) }),
  }),
  networks: z.record(z.string(), z.object({ ipam: z.object({ config: z.array(z.object({ subnet: z.cidrv4() })) }) })),
});
const selfHost = readFileSync("docs/self-host.md", "utf8");
const readme = readFileSync("README.md", "utf8");

/** The client that the service sees when a peer forwards one. */
function resolveForwarded(peer: string, variables: Record<string, string>): string {
  const { trustedProxies } = readEnv(variables);
  return resolveClientAddress(peer, "203.0.113.9", createAddressMatcher(trustedProxies));
}

it("the compose file trusts the proxies of its own network", () => {
  const { services, networks } = Compose.parse(parse(readFileSync("compose.yml", "utf8")));
  expect(services.growth.networks).toEqual(services.caddy.networks);
  const [network = ""] = services.growth.networks;
  const subnets = networks[network]?.ipam.config.map(({ subnet }) => subnet);
  expect(subnets).toEqual([services.growth.environment.TRUSTED_PROXIES]);
  const { TRUSTED_PROXIES = "" } = services.growth.environment;
  expect(resolveForwarded("172.30.7.2", { TRUSTED_PROXIES })).toBe("203.0.113.9");
  expect(resolveForwarded("172.30.8.2", { TRUSTED_PROXIES })).toBe("172.30.8.2");
});

it("the Docker recipe trusts Docker's default bridge", () => {
  const [, TRUSTED_PROXIES = ""] = /-e TRUSTED_PROXIES=(\S+)/.exec(selfHost) ?? [];
  expect(resolveForwarded("172.17.0.1", { TRUSTED_PROXIES })).toBe("203.0.113.9");
});

it("the systemd unit listens for the proxy of its machine only", () => {
  const [, HOST = "", TRUSTED_PROXIES = ""] = /^Environment=HOST=(\S+) TRUSTED_PROXIES=(\S+)$/m.exec(selfHost) ?? [];
  expect(readEnv({ HOST }).host).toBe("127.0.0.1");
  expect(resolveForwarded("127.0.0.1", { TRUSTED_PROXIES })).toBe("203.0.113.9");
});

it("npm start, the container and the systemd unit run Node with the same flags", () => {
  const listFlags = (command: string | undefined) => command?.match(/--[a-z-]+-(size|percent)=\d+/g);
  const [container] = /^CMD .*$/m.exec(readFileSync("Dockerfile", "utf8")) ?? [];
  const [unit] = /^ExecStart=.*$/m.exec(selfHost) ?? [];
  expect(listFlags(manifest.scripts.start)).toHaveLength(2);
  for (const command of [container, unit]) expect(listFlags(command)).toEqual(listFlags(manifest.scripts.start));
});

it("the README's first command finds the alert printed below it, the only one of its severity that the demo stages", () => {
  const [, severity] = /"http:\/\/localhost:3000\/api\/alerts\?severity=(\w+)&limit=1"/.exec(readme) ?? [];
  const [, name = ""] = /"message": "(.+?) grew /.exec(readme) ?? [];
  const found = [...listStagedEvents(0)].filter(([, events]) =>
    events.some(
      ({ day, factor }) => day === 0 && classifySeverity(1000, Math.round(1000 * factor)).severity === severity,
    ),
  );
  expect(found.map(([handle]) => handle)).toEqual([`@${name.replaceAll(" ", "").toLowerCase()}`]);
});

it("texts and workflows name only scripts and tools that exist", () => {
  const scripts = Object.keys(manifest.scripts);
  const tools = execFileSync(process.execPath, ["src/cli/tools.mjs"], { encoding: "utf8" }).match(/(?<=^ {2})\S+/gm);
  const folders = ["docs", "src/guides", ".github/workflows"].flatMap((folder) =>
    readdirSync(folder).map((name) => `${folder}/${name}`),
  );
  const texts = ["README.md", "CONTRIBUTING.md", "SECURITY.md", ...folders.filter((file) => /\.(md|yml)$/.test(file))];
  const named = texts.flatMap((file) => [
    ...readFileSync(file, "utf8").matchAll(/\bnpm run (?:--silent )?(?:tools -- )?([a-z][\w:-]*)/g),
  ]);
  expect(named.length).toBeGreaterThan(60);
  const isKnown = ([call = "", name = ""]: string[]) =>
    call.includes("tools -- ") ? tools?.includes(name) : scripts.includes(name);
  expect(named.filter((call) => !isKnown(call)).map(([call]) => call)).toEqual([]);
});

it("package.json has at most 16 scripts", () => {
  expect(Object.keys(manifest.scripts).length).toBeLessThanOrEqual(16);
});
