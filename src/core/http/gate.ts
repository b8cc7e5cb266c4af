import { AppError, isOfKind, KINDS } from "@/core/errors";
import { createClaims } from "@/core/http/claims";
import { sleep } from "@/core/time";

/** How much a process takes on at once. */
export interface GateLimits {
  /** Requests at work, and how many of them may be one caller's. */
  running: number;
  runningOfOne: number;
  /** Requests that wait for their turn or take long, and how many of them may be one caller's. */
  waiting: number;
  waitingOfOne: number;
  /** One that comes when too many wait is refused after so many milliseconds, as long as no more than this wait for it. */
  refuseMs: number;
  refusing: number;
  /** One that has waited for so many milliseconds is refused. */
  waitMs: number;
  /** A request at work for so many milliseconds waits for something else, and makes room. */
  longMs: number;
  /** After so many more it is answered without its work, which may never end. */
  giveUpMs: number;
}

/**
 * So many at work keep the connections to a database busy, and leave no more than a moment's work between a newcomer and
 * its turn.
 */
const LIMITS: GateLimits = {
  running: 64,
  // Fewer than a lasting process has connections to the database.
  runningOfOne: 5,
  waiting: 1536,
  waitingOfOne: 1024,
  // Many a client comes back at once, and to refuse it again and again would take the time of those who are served.
  refuseMs: 1000,
  refusing: 4096,
  waitMs: 5000,
  longMs: 1000,
  // Longer than anything that a verb waits for by itself.
  giveUpMs: 29_000,
};
/** How often those who wait are looked through for who has waited too long. */
const LATENESS_MS = 250;
const RETRY_SECONDS = 1;
const GIVEN_UP_RETRY_SECONDS = 5;

/** More is under way than can be served. */
export class Overload extends AppError {
  override readonly [KINDS] = ["AppError", "Overload"];

  constructor(message = "The service is busy; please try again") {
    super("unavailable", message, {
      retryAfter: RETRY_SECONDS,
      // A line for each request that is turned away would be load.
      isRoutine: true,
    });
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
  /**
   * Does work of a caller once it is its turn.
   * @throws Overload when too much is waiting already, or when it waited in vain; AppError `unavailable` when the work
   * does not end
   */
  pass<T>(claimant: Claimant, work: Work<T>, traits?: Traits): Promise<T>;
  /** From now on a claim has the turns of its owner: it was found to be true. */
  prove(claim: string, owner: string): void;
  /** It was found to be true no more, and takes no turns of whoever owned it. */
  disprove(claim: string): void;
  /** Refuses with this message whatever waits or comes from now on. What is at work goes on. */
  close(message: string): void;
  /** Answers what is at work without its outcome, once closed. */
  giveUp(): void;
}

/**
 * Who asks. Anybody can claim to be many, so an unproven claim takes the turns of the address that it comes from, with
 * all others from there.
 */
export interface Claimant {
  claim: string | null;
  address: string;
}

/** What is done for a caller; it may ask whether that was given up, so that nobody waits for the rest. */
type Work<T> = (isGivenUp: () => boolean) => Promise<T>;

/** What is known of a piece of work. */
interface Traits {
  /** How many of the places of all it takes, more than one where it keeps the process busy by itself. */
  places?: number;
  /** Whether it may take as long as it likes; asked when it would be given up. */
  isPatient?(): boolean;
  /** Whether nobody waits for its outcome any more; asked when its turn comes. */
  isAbandoned?(): boolean;
}

interface Waiter {
  since: number;
  places: number;
  isAbandoned: Traits["isAbandoned"];
  begin(): void;
  refuse(overload: Overload): void;
}

interface Caller {
  name: string;
  running: number;
  long: number;
  waiting: Waiter[];
}

/** A gate through which nothing has passed yet. */
export function createGate(limits: GateLimits = LIMITS): Gate {
  return new TurnTaking(limits);
}

class TurnTaking implements Gate {
  readonly #limits: GateLimits;
  readonly #callers = new Map<string, Caller>();
  /** Callers of whom something waits, the one whose turn it is first. */
  readonly #line = new Set<Caller>();
  readonly #claims = createClaims();
  #running = 0;
  /** What gives places back when the process has turned to whatever else there is. */
  #leaving: (() => void)[] = [];
  /** Requests that wait or take long. */
  #held = 0;
  /** Requests that wait to be refused. */
  #refusing = 0;
  /** Whether whoever's turn it is waits for room: nobody who comes now may take it away. */
  #isAwaitingRoom = false;
  #lateness: NodeJS.Timeout | undefined;
  /** How what is at work is answered without its outcome. */
  readonly #giveUps = new Set<(error: AppError) => void>();
  #closedWith: string | null = null;

  constructor(limits: GateLimits) {
    this.#limits = limits;
  }

  pass<T>(
    { claim, address }: Claimant,
    work: Work<T>,
    { places = 1, isPatient = () => false, isAbandoned }: Traits = {},
  ): Promise<T> {
    if (this.#closedWith !== null) return Promise.reject(new Overload(this.#closedWith));
    const name = (claim !== null && this.#claims.ownerOf(claim)) || address;
    const caller = this.#callers.get(name) ?? { name, running: 0, long: 0, waiting: [] };
    const run = () => this.#run(caller, work, places, isPatient);
    // Also where there is room: what takes long takes the places of whoever waits.
    if (caller.waiting.length + caller.long >= this.#limits.waitingOfOne) return this.#refuse();
    // Those who are about to be let in leave a place to wait at.
    if (this.#held >= this.#limits.waiting) this.#turn();
    if (!this.#hasRoom(caller, places) || this.#line.has(caller) || this.#isAwaitingRoom)
      return this.#waitForTurn(caller, places, isAbandoned).then(run);
    this.#start(caller, places);
    return run();
  }

  prove(claim: string, owner: string): void {
    this.#claims.prove(claim, owner);
  }

  disprove(claim: string): void {
    this.#claims.disprove(claim);
  }

  close(message: string): void {
    this.#closedWith = message;
    for (const caller of this.#line) {
      for (const waiter of caller.waiting.splice(0)) {
        this.#held -= 1;
        waiter.refuse(new Overload(message));
      }
      this.#forgetIdle(caller);
    }
    this.#line.clear();
    this.#isAwaitingRoom = false;
  }

  giveUp(): void {
    for (const giveUp of this.#giveUps) giveUp(new Overload(this.#closedWith ?? undefined));
  }

  #hasRoom({ running }: Caller, places: number): boolean {
    return this.#running + places <= this.#limits.running && running < this.#limits.runningOfOne;
  }

  #start(caller: Caller, places: number): void {
    this.#callers.set(caller.name, caller);
    this.#running += places;
    caller.running += 1;
  }

  async #waitForTurn(caller: Caller, places: number, isAbandoned: Traits["isAbandoned"]): Promise<void> {
    if (this.#held >= this.#limits.waiting) return this.#refuse();
    this.#callers.set(caller.name, caller);
    this.#held += 1;
    await new Promise<void>((begin, refuse) => {
      caller.waiting.push({ since: performance.now(), places, isAbandoned, begin, refuse });
      this.#line.add(caller);
      if (caller.running < this.#limits.runningOfOne) this.#isAwaitingRoom = true;
      this.#lateness ??= setInterval(() => this.#refuseLate(), LATENESS_MS).unref();
    });
  }

  /** Refuses those who have waited in vain, however long their turn takes to come. */
  #refuseLate(): void {
    for (const caller of this.#line) this.#dismiss(caller);
    // Whoever held up the line may be gone.
    this.#letIn();
    if (this.#line.size > 0) return;
    clearInterval(this.#lateness);
    this.#lateness = undefined;
  }

  /** Refuses the first of a caller's who wait that have waited in vain. */
  #dismiss(caller: Caller): void {
    for (let [first] = caller.waiting; first; [first] = caller.waiting) {
      const isLate = performance.now() - first.since > this.#limits.waitMs;
      if (!isLate && !first.isAbandoned?.()) return;
      caller.waiting.shift();
      this.#held -= 1;
      first.refuse(new Overload());
    }
    this.#line.delete(caller);
    this.#forgetIdle(caller);
  }

  async #refuse(): Promise<never> {
    if (this.#refusing < this.#limits.refusing) {
      this.#refusing += 1;
      await sleep(this.#limits.refuseMs);
      this.#refusing -= 1;
    }
    throw new Overload();
  }

  #letIn(): void {
    this.#isAwaitingRoom = false;
    for (const caller of this.#line) {
      if (caller.running >= this.#limits.runningOfOne) continue;
      this.#dismiss(caller);
      const [first] = caller.waiting;
      if (!first) continue;
      // Whose turn it is waits for as many places as it takes, while nobody overtakes it.
      this.#isAwaitingRoom = !this.#hasRoom(caller, first.places);
      if (this.#isAwaitingRoom) return;
      // To the end of the line, if there is more of it.
      this.#line.delete(caller);
      caller.waiting.shift();
      this.#held -= 1;
      if (caller.waiting.length > 0) this.#line.add(caller);
      this.#start(caller, first.places);
      first.begin();
    }
  }

  /** Does the work, which makes room for others once it takes long. */
  #run<T>(caller: Caller, work: Work<T>, places: number, isPatient: () => boolean): Promise<T> {
    let isLong = false;
    let isGivenUp = false;
    let timer: NodeJS.Timeout | undefined;
    const takeLong = (giveUp: () => void) => {
      isLong = true;
      this.#held += 1;
      caller.long += 1;
      this.#leave(() => this.#makeRoom(caller, places));
      timer = setTimeout(() => isPatient() || giveUp(), this.#limits.giveUpMs);
    };
    const end = () => {
      clearTimeout(timer);
      this.#giveUps.delete(reject);
      if (isLong) {
        this.#held -= 1;
        caller.long -= 1;
        this.#forgetIdle(caller);
      } else this.#leave(() => this.#makeRoom(caller, places));
    };
    let reject: (error: unknown) => void = () => {};
    const outcome = new Promise<T>((resolve, fail) => {
      reject = (error) => {
        isGivenUp = true;
        fail(error);
      };
      timer = setTimeout(() => takeLong(() => reject(givenUp())), this.#limits.longMs);
      work(() => isGivenUp).then(resolve, fail);
    });
    this.#giveUps.add(reject);
    outcome.then(end, end);
    return outcome;
  }

  #makeRoom(caller: Caller, places: number): void {
    this.#running -= places;
    caller.running -= 1;
    this.#forgetIdle(caller);
  }

  /**
   * Gives a place back, but not at once: newcomers, and those who have left, would not be heard before the next is let
   * in, and whoever asks for what needs no more than a moment would be served as often as he asks.
   */
  #leave(give: () => void): void {
    this.#leaving.push(give);
    if (this.#leaving.length === 1) setImmediate(() => this.#turn());
  }

  #turn(): void {
    if (this.#leaving.length === 0) return;
    for (const give of this.#leaving.splice(0)) give();
    this.#letIn();
  }

  #forgetIdle({ name, running, long, waiting }: Caller): void {
    if (running + long + waiting.length === 0) this.#callers.delete(name);
  }
}

/** What is told of work that was given up, and thrown by what finds that it was. */
export function givenUp(): AppError {
  const message = "The service cannot answer right now; please try again";
  return new AppError("unavailable", message, { retryAfter: GIVEN_UP_RETRY_SECONDS });
}
