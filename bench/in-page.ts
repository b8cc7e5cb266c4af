/** Functions that run in the page. They name nothing outside of themselves. */

/** What a browser saw of a first load. */
export interface Painted {
  /** Largest contentful paint, in ms, and what was painted. */
  lcpMs: number;
  lcpElement: string;
  interactiveMs: number;
  /** Cumulative layout shift. */
  cls: number;
}

export interface Clicked {
  name: string;
  heading: string;
}

/** Runs in the browser: what it has noted of the load. */
export async function observePaint(): Promise<Painted> {
  interface Largest extends PerformanceEntry {
    element: Element | null;
  }
  interface Shift extends PerformanceEntry {
    value: number;
    hadRecentInput: boolean;
  }
  const noted = <Entry extends PerformanceEntry>(type: string) =>
    new Promise<Entry[]>((resolve) => {
      new PerformanceObserver((list) => resolve(list.getEntries() as Entry[])).observe({
        type,
        buffered: true,
      });
      // Where nothing was noted nothing comes.
      setTimeout(() => resolve([]), 200);
    });
  const largest = (await noted<Largest>("largest-contentful-paint")).at(-1);
  const shifts = (await noted<Shift>("layout-shift")).filter(({ hadRecentInput }) => !hadRecentInput);
  const element = largest?.element;
  const [interactive] = performance.getEntriesByName("interactive");
  return {
    interactiveMs: interactive?.startTime ?? Number.NaN,
    lcpMs: largest?.startTime ?? Number.NaN,
    lcpElement: element ? `${element.tagName.toLowerCase()}: ${element.textContent?.slice(0, 60)}` : "",
    cls: shifts.reduce((sum, { value }) => sum + value, 0),
  };
}

/** Runs in the browser: marks the first frame whose content is whole and belongs to React. */
export function noteInteractive(): void {
  const look = () => {
    const heading = document.querySelector("main h1");
    const isTaken = heading && Object.keys(heading).some((key) => key.startsWith("__reactFiber"));
    if (isTaken && !document.querySelector("main [aria-busy=true]")) performance.mark("interactive");
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** Runs in the browser. */
export function watchKeys(): void {
  const times: number[] = [];
  Object.assign(globalThis, { keyTimes: times });
  const note = (list: PerformanceObserverEntryList) => {
    for (const { name, duration } of list.getEntries()) if (name.startsWith("key")) times.push(duration);
  };
  new PerformanceObserver(note).observe({ type: "event", buffered: true, durationThreshold: 16 } as object);
}

/** Runs in the browser. Keys faster than 16 ms are not noted. */
export function slowestKey(): number {
  const { keyTimes } = globalThis as unknown as { keyTimes: number[] };
  return Math.max(16, ...keyTimes);
}

/** Runs in the browser: from the click on a page's link to the frame that has its heading and none of its skeletons. */
export function clickThrough({ name, heading }: Clicked): Promise<number> {
  const links = [...document.querySelectorAll<HTMLAnchorElement>("nav a")];
  const link = links.find(({ textContent }) => textContent?.startsWith(name));
  if (!link) throw new Error(`there is no link to ${name}`);
  const isThere = () =>
    document.querySelector("main h1")?.textContent === heading &&
    !document.querySelector("main [aria-busy=true]");
  const begun = performance.now();
  link.click();
  return new Promise((resolve, reject) => {
    const look = () => {
      const ms = performance.now() - begun;
      if (isThere()) resolve(ms);
      else if (ms > 10_000) reject(new Error(`${name} does not show the heading ${heading}`));
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}
