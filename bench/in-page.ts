/* Functions that run in the page. They use nothing from outside of themselves. */

/** What a browser measured of a first load. */
export interface Paint {
  /** The largest contentful paint, and what was painted. */
  paintMs: number;
  element: string;
  interactiveMs: number;
  /** Cumulative layout shift. */
  shift: number;
}

export async function measurePaint(): Promise<Paint> {
  interface Largest extends PerformanceEntry {
    element: Element | null;
  }
  interface Shift extends PerformanceEntry {
    value: number;
    hadRecentInput: boolean;
  }
  const getEntries = <Entry extends PerformanceEntry>(type: string) =>
    new Promise<Entry[]>((resolve) => {
      new PerformanceObserver((list) => resolve(list.getEntries() as Entry[])).observe({
        type,
        buffered: true,
      });
      // The observer is not called when there are no entries.
      setTimeout(() => resolve([]), 200);
    });
  const largest = (await getEntries<Largest>("largest-contentful-paint")).at(-1);
  const shifts = (await getEntries<Shift>("layout-shift")).filter(({ hadRecentInput }) => !hadRecentInput);
  const element = largest?.element;
  const [interactive] = performance.getEntriesByName("interactive");
  return {
    interactiveMs: interactive?.startTime ?? Number.NaN,
    paintMs: largest?.startTime ?? Number.NaN,
    element: element ? `${element.tagName.toLowerCase()}: ${element.textContent?.trim().slice(0, 40)}` : "",
    shift: shifts.reduce((sum, { value }) => sum + value, 0),
  };
}

/** Marks the first frame whose content is complete and hydrated by React. */
export function markInteractive(): void {
  const look = () => {
    const heading = document.querySelector("main h1");
    const isHydrated = heading && Object.keys(heading).some((key) => key.startsWith("__reactFiber"));
    if (isHydrated && !document.querySelector("main [aria-busy=true]")) performance.mark("interactive");
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

export function watchKeys(): void {
  const times: number[] = [];
  Object.assign(globalThis, { keyTimes: times });
  const note = (list: PerformanceObserverEntryList) => {
    for (const { name, duration } of list.getEntries()) if (name.startsWith("key")) times.push(duration);
  };
  new PerformanceObserver(note).observe({ type: "event", buffered: true, durationThreshold: 16 } as object);
}

/** The browser does not report keys below 16 ms. */
export function getSlowestKeyMs(): number {
  const { keyTimes } = globalThis as unknown as { keyTimes: number[] };
  return Math.max(16, ...keyTimes);
}
