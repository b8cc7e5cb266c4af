import { describe, expect, it, vi } from "vitest";
import { createGate, type GateLimits, Overload } from "./gate";

const LIMITS: GateLimits = {
  running: 4,
  runningOfOne: 2,
  waiting: 6,
  waitingOfOne: 4,
  refuseMs: 0,
  refusing: 0,
  waitMs: 60_000,
  longMs: 60_000,
  giveUpMs: 60_000,
};
/** Somebody who proves nothing. */
const from = (address: string) => ({ claim: null, address });

/** A gate, and work that lasts until it is told to end. */
function useGate(limits: Partial<GateLimits> = {}) {
  const gate = createGate({ ...LIMITS, ...limits });
  const begun: string[] = [];
  const open: (() => void)[] = [];
  const ask = (caller: string, places?: number) => {
    const work = async () => {
      begun.push(caller);
      await new Promise<void>((resolve) => open.push(resolve));
    };
    return gate.pass(from(caller), work, { places });
  };
  // Who waits is let in when the process has turned to whatever else there is.
  const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  const endOne = async () => {
    open.shift()?.();
    await turn();
  };
  const endAll = async () => {
    while (open.length > 0) await endOne();
  };
  return { gate, begun, open, ask, turn, endOne, endAll };
}

describe("the gate", () => {
  it("once closed refuses with its word whoever waits or comes, and lets those at work end", async () => {
    const { gate, begun, ask, turn, endAll } = useGate();
    const asked = [..."aaab"].map((caller) => ask(caller));
    const outcomes = Promise.allSettled(asked);
    await turn();
    gate.close("The service is stopping");
    const late = ask("c");
    await expect(late).rejects.toMatchObject({ code: "unavailable", message: "The service is stopping" });
    await endAll();
    expect((await outcomes).map(({ status }) => status)).toEqual([
      "fulfilled",
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    expect(begun.join("")).toBe("aab");
  });

  it("gives up what is at work once it was closed, also what may take as long as it likes", async () => {
    const { gate, turn } = useGate();
    const never = () => new Promise<void>(() => {});
    const outcomes = Promise.allSettled([
      gate.pass(from("a"), never),
      gate.pass(from("b"), never, { isPatient: () => true }),
    ]);
    await turn();
    gate.close("The service is stopping");
    gate.giveUp();
    for (const outcome of await outcomes)
      expect(outcome).toMatchObject({ status: "rejected", reason: { message: "The service is stopping" } });
  });

  it("lets callers take turns: one who asks often waits for himself alone", async () => {
    const { ask, begun, turn, endOne, endAll } = useGate();
    const asked = [..."aaaaaa"].map((caller) => ask(caller));
    await turn();
    expect(begun.join("")).toBe("aa");
    asked.push(ask("b"), ask("c"));
    await turn();
    expect(begun.join("")).toBe("aabc");
    asked.push(ask("d"));
    await endOne();
    await endOne();
    // It came last and waited for one other, not for the four that were there before it.
    expect(begun.join("")).toBe("aabcad");
    while (begun.length < 9) await endOne();
    await endAll();
    await Promise.all(asked);
    expect(begun.toSorted().join("")).toBe("aaaaaabcd");
  });

  it("lets in less of what takes several places, and has nobody overtake it", async () => {
    const { ask, begun, open, turn, endOne, endAll } = useGate();
    const asked = [ask("a"), ask("b", 3), ask("c", 3), ask("c")];
    await turn();
    expect(begun.join("")).toBe("ab");
    await endOne();
    expect(begun.join("")).toBe("ab");
    await endOne();
    expect(begun.join("")).toBe("abcc");
    expect(open).toHaveLength(2);
    await endAll();
    await Promise.all(asked);
  });

  it("has no newcomer overtake what waits for several places, though there is one", async () => {
    const { ask, begun, turn, endOne, endAll } = useGate();
    const asked = [ask("a"), ask("b"), ask("c", 3), ask("d"), ask("e")];
    await turn();
    expect(begun.join("")).toBe("ab");
    await endOne();
    expect(begun.join("")).toBe("abc");
    await endAll();
    expect(begun.join("")).toBe("abcde");
    await Promise.all(asked);
  });

  it("refuses who has waited too long before his turn comes", async () => {
    const { ask, begun, endAll } = useGate({ running: 1, waitMs: 10, longMs: 1_000_000 });
    const first = ask("a");
    await expect(ask("b")).rejects.toThrow(Overload);
    await endAll();
    await first;
    const next = ask("c");
    await endAll();
    await next;
    expect(begun).toEqual(["a", "c"]);
  });

  it("refuses what comes when too much waits, of one caller or of all, and takes the next once there is room", async () => {
    const { ask, begun, turn, endAll } = useGate();
    const asked = [..."aaaaaa"].map((caller) => ask(caller));
    await expect(ask("a")).rejects.toThrow(Overload);
    asked.push(...[..."bbbb"].map((caller) => ask(caller)));
    await expect(ask("b")).rejects.toMatchObject({ status: 503, retryAfter: 1 });
    await expect(ask("c")).rejects.toThrow("The service is busy; please try again");
    await turn();
    while (begun.length < asked.length) await endAll();
    await endAll();
    await Promise.all(asked);
    const later = ask("c");
    await turn();
    await endAll();
    await later;
  });

  it("keeps whom it refuses waiting, as he would be back at once, but not too many of them", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const { ask, open, turn, endAll } = useGate({ running: 1, waiting: 0, refuseMs: 1000, refusing: 2 });
    const asked = ask("a");
    let refused = 0;
    const others = [..."bcd"].map((caller) =>
      ask(caller).catch(() => {
        refused += 1;
      }),
    );
    await turn();
    expect(refused).toBe(1);
    vi.advanceTimersByTime(999);
    await turn();
    expect(refused).toBe(1);
    vi.advanceTimersByTime(1);
    await Promise.all(others);
    expect([refused, open.length]).toEqual([3, 1]);
    vi.useRealTimers();
    await endAll();
    await asked;
  });

  it("lets others in while requests take long, and still refuses when too many do", async () => {
    const { ask, begun, endAll, turn } = useGate({ longMs: 1, running: 1, waiting: 2, waitingOfOne: 2 });
    const asked = [ask("slow")];
    await expect.poll(() => begun.length).toBe(1);
    asked.push(ask("slow"));
    await expect.poll(() => begun.length).toBe(2);
    asked.push(ask("quick"));
    await expect.poll(() => begun.length).toBe(3);
    await expect.poll(() => ask("slow").catch((error) => error)).toBeInstanceOf(Overload);
    await endAll();
    await Promise.all(asked);
    const after = ask("slow");
    await turn();
    await endAll();
    await after;
  });

  it("refuses one caller with too many that take long, though there is room, and nobody else", async () => {
    const { ask, begun, turn, endAll } = useGate({ running: 8, longMs: 1, waitingOfOne: 2 });
    const asked: Promise<unknown>[] = [];
    const askMore = () => {
      asked.push(ask("a").catch((error) => error));
      return Promise.race([asked.at(-1), turn()]);
    };
    await expect.poll(askMore).toBeInstanceOf(Overload);
    asked.push(ask("b"));
    await expect.poll(() => begun.at(-1)).toBe("b");
    await endAll();
    await Promise.all(asked);
  });

  it("lets in who waits only after the process has turned to whatever else there is, and newcomers after them", async () => {
    const { ask, begun, open, turn, endAll } = useGate({ running: 1 });
    const asked = [ask("a"), ask("b")];
    open.shift()?.();
    await asked[0];
    asked.push(ask("c"));
    await new Promise(process.nextTick);
    expect(begun.join("")).toBe("a");
    await turn();
    expect(begun.join("")).toBe("ab");
    while (begun.length < 3) await endAll();
    await endAll();
    await Promise.all(asked);
    expect(begun.join("")).toBe("abc");
  });

  it("lets one in no oftener for asking what needs but a moment", async () => {
    const { gate, turn } = useGate();
    const begun: string[] = [];
    const ask = (caller: string) => gate.pass(from(caller), async () => begun.push(caller));
    const asked = [..."aaaa"].map(ask);
    await asked[0];
    await asked[1];
    asked.push(ask("b"));
    await new Promise(process.nextTick);
    expect(begun.join("")).toBe("aab");
    await turn();
    await Promise.all(asked);
    expect(begun.join("")).toBe("aabaa");
  });

  it("refuses no newcomer while those who wait are about to be let in", async () => {
    const { ask, begun, open, endAll, turn } = useGate({ waiting: 2 });
    const asked = [..."aaaa"].map((caller) => ask(caller));
    open.shift()?.();
    await asked[0];
    asked.push(ask("b"));
    await turn();
    expect(begun.toSorted().join("")).toBe("aaab");
    while (begun.length < 5) await endAll();
    await endAll();
    await Promise.all(asked);
  });

  it("gives no turns to a claim that nobody has proven, and its own to one that was, wherever it comes from", async () => {
    const { gate, begun, open, turn } = useGate();
    const ask = (claim: string, address: string) =>
      gate.pass({ claim, address }, async () => {
        begun.push(claim);
        await new Promise<void>((resolve) => open.push(resolve));
      });
    gate.prove("key", "owner");
    const asked = ["x", "y", "z", "key", "key", "key"].map((claim) => ask(claim, "here"));
    await turn();
    expect(begun).toEqual(["x", "y", "key", "key"]);
    for (const _ of asked) {
      open.shift()?.();
      await turn();
    }
    await Promise.all(asked);
  });

  it("gives no turns of its owner to a claim that is true no more, and all of them to the others", async () => {
    const { gate, begun, open, turn } = useGate();
    for (const claim of ["old", "new"]) gate.prove(claim, "owner");
    for (const claim of ["old", "never known"]) gate.disprove(claim);
    const asked = ["old", "old", "old", "new", "new"].map((claim) =>
      gate.pass({ claim, address: "there" }, async () => {
        begun.push(claim);
        await new Promise<void>((resolve) => open.push(resolve));
      }),
    );
    await turn();
    expect(begun).toEqual(["old", "old", "new", "new"]);
    for (const _ of asked) {
      open.shift()?.();
      await turn();
    }
    await Promise.all(asked);
  });

  it("has all claims of one owner take the same turns, and forgets the older of many", async () => {
    const { gate, begun, open, turn } = useGate({ running: 8 });
    const claims = Array.from({ length: 10 }, (_, place) => `claim ${place}`);
    for (const claim of claims) gate.prove(claim, "owner");
    const asked = ["claim 8", "claim 9", "claim 7", "claim 0", "claim 1", "x"].map((claim) =>
      gate.pass({ claim, address: "here" }, async () => {
        begun.push(claim);
        await new Promise<void>((resolve) => open.push(resolve));
      }),
    );
    await turn();
    expect(begun).toEqual(["claim 8", "claim 9", "claim 0", "claim 1"]);
    for (const _ of asked) {
      open.shift()?.();
      await turn();
    }
    await Promise.all(asked);
  });

  it("tells work that it was given up", async () => {
    const gate = createGate({ ...LIMITS, longMs: 0, giveUpMs: 0 });
    let ask = () => false;
    const asked: boolean[] = [];
    const never = (isGivenUp: () => boolean) => {
      ask = isGivenUp;
      asked.push(ask());
      return new Promise<void>(() => {});
    };
    await expect(gate.pass(from("a"), never)).rejects.toMatchObject({ code: "unavailable" });
    expect([...asked, ask()]).toEqual([false, true]);
  });

  it("answers without work that does not end, unless it may take as long as it likes", async () => {
    const gate = createGate({ ...LIMITS, longMs: 1, giveUpMs: 1 });
    const never = () => new Promise<never>(() => {});
    await expect(gate.pass(from("a"), never)).rejects.toMatchObject({ status: 503, retryAfter: 5 });
    let end = () => {};
    const work = () =>
      new Promise<string>((resolve) => {
        end = () => resolve("done");
      });
    let hasBegun = false;
    const patient = gate.pass(from("a"), work, { isPatient: () => hasBegun });
    hasBegun = true;
    const impatient = gate.pass(from("a"), never, { isPatient: () => false });
    await expect(impatient).rejects.toMatchObject({ status: 503 });
    end();
    expect(await patient).toBe("done");
  });

  it("does nothing for those who waited too long or are gone when their turn comes", async () => {
    const { ask, begun, turn, endAll } = useGate({ running: 1, waitMs: 0 });
    const first = ask("a");
    const late = expect(ask("b")).rejects.toThrow(Overload);
    // Any time at all is too long here.
    await new Promise((resolve) => setTimeout(resolve, 2));
    await endAll();
    await first;
    await late;
    expect(begun).toEqual(["a"]);
    const patient = createGate({ ...LIMITS, running: 1 });
    let end = () => {};
    const busy = patient.pass(
      from("a"),
      () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
    );
    const gone = patient.pass(from("b"), async () => begun.push("b"), { isAbandoned: () => true });
    const refused = expect(gone).rejects.toThrow(Overload);
    await turn();
    end();
    await busy;
    await refused;
    expect(begun).toEqual(["a"]);
  });

  it("makes room whatever comes of the work", async () => {
    const gate = createGate({ ...LIMITS, running: 1 });
    const fail = () => gate.pass(from("a"), () => Promise.reject(new Error("no")));
    const outcomes = await Promise.allSettled([fail(), fail(), fail()]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(await gate.pass(from("a"), async () => "served")).toBe("served");
  });
});
