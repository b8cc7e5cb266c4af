import { AppError, isOfKind, KINDS } from "@/core/errors";

/** How much a process takes on at once. */
export interface GateLimits {
  /** Requests at work, and how many of them may be one caller's. */
  running: number;
  runningOfOne: number;
  /** Requests that wait for their turn or take long, and how many of them may be one caller's. */
  waiting: number;
  waitingOfOne: number;
  /** A request at work for so many milliseconds waits for something else, and makes room. */
  longMs: number;
}

/**
 * So many at work keep ten connections of a database busy and leave no more than a moment's work between a newcomer
 * and its turn. The wait of the last one that is let in stays about a second where a thousand are served in one.
 */
const LIMITS: GateLimits = {
  running: 64,
  runningOfOne: 16,
  waiting: 1536,
  waitingOfOne: 1024,
  longMs: 1000,
};
const RETRY_SECONDS = 1;

/** More is under way than can be served. */
export class Overload extends AppError {
  override readonly [KINDS] = ["AppError", "Overload"];

  constructor() {
    super("unavailable", "The service is busy; please try again", { retryAfter: RETRY_SECONDS });
    this.name = "Overload";
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isOfKind(value, "Overload");
  }
}

/**
 * Through it passes every request of a process. Callers take turns, so that one who asks a thousand times at once
 * waits for himself and for nobody else.
 */
export interface Gate {
  /** Does work of a caller once it is its turn. @throws Overload at once when too much is waiting already */
  pass<T>(claimant: Claimant, work: () => Promise<T>): Promise<T>;
  /** From now on a claim has turns of its own: it was found to be true. */
  prove(claim: string): void;
}

/**
 * Who asks. Anybody can claim to be many, so an unproven claim takes the turns of the address that it comes from, with
 * all others from there.
 */
export interface Claimant {
  claim: string | null;
  address: string;
}

/** Claims beyond so many are to be proven anew, the least lately proven first. */
const MAX_PROVEN = 10_000;

interface Caller {
  name: string;
  running: number;
  long: number;
  /** Called when their turn has come. */
  waiting: (() => void)[];
}

/** A gate through which nothing has passed yet. */
export function createGate(limits: GateLimits = LIMITS): Gate {
  const callers = new Map<string, Caller>();
  /** Callers of whom something waits, the one whose turn it is first. */
  const line = new Set<Caller>();
  const all = { running: 0, held: 0 };
  const proven = new Set<string>();

  const hasRoom = ({ running }: Caller) => all.running < limits.running && running < limits.runningOfOne;

  function start(caller: Caller): void {
    callers.set(caller.name, caller);
    all.running += 1;
    caller.running += 1;
  }

  function letIn(): void {
    for (const caller of line) {
      if (all.running >= limits.running) return;
      if (!hasRoom(caller)) continue;
      // To the end of the line, if there is more of it.
      line.delete(caller);
      const begin = caller.waiting.shift();
      if (caller.waiting.length > 0) line.add(caller);
      all.held -= 1;
      start(caller);
      begin?.();
    }
  }

  async function waitForTurn(caller: Caller): Promise<void> {
    const held = caller.waiting.length + caller.long;
    if (all.held >= limits.waiting || held >= limits.waitingOfOne) throw new Overload();
    callers.set(caller.name, caller);
    all.held += 1;
    await new Promise<void>((resolve) => {
      caller.waiting.push(resolve);
      line.add(caller);
    });
  }

  function makeRoom(caller: Caller): void {
    all.running -= 1;
    caller.running -= 1;
    letIn();
  }

  /** Does the work. @returns once it is done, having made room for others when it began to take long, or at its end */
  async function run<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
    let isLong = false;
    const timer = setTimeout(() => {
      isLong = true;
      all.held += 1;
      caller.long += 1;
      makeRoom(caller);
    }, limits.longMs);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      if (isLong) {
        all.held -= 1;
        caller.long -= 1;
      } else makeRoom(caller);
      if (caller.running + caller.long + caller.waiting.length === 0) callers.delete(caller.name);
    }
  }

  return {
    async pass({ claim, address }, work) {
      const name = claim !== null && proven.has(claim) ? claim : address;
      const caller = callers.get(name) ?? { name, running: 0, long: 0, waiting: [] };
      if (hasRoom(caller) && !line.has(caller)) start(caller);
      else await waitForTurn(caller);
      return run(caller, work);
    },
    prove(claim) {
      proven.delete(claim);
      proven.add(claim);
      const [oldest] = proven;
      if (proven.size > MAX_PROVEN && oldest !== undefined) proven.delete(oldest);
    },
  };
}
