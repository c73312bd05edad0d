/** Notes what the browser tells of painting, of shifts of the layout and of long tasks, from the beginning of a page. */
export const COLLECTOR = `(() => {
  const seen = (window.clewSeen = { lcpMs: 0, cls: 0, longestTaskMs: 0 });
  const watch = (type, take) => new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  watch('largest-contentful-paint', (entry) => { seen.lcpMs = entry.startTime; });
  watch('layout-shift', (entry) => { if (!entry.hadRecentInput) seen.cls += entry.value; });
  watch('longtask', (entry) => { seen.longestTaskMs = Math.max(seen.longestTaskMs, entry.duration); });
})()`;

export const SEEN = 'window.clewSeen';

/** Milliseconds of a deed until a test of the page holds, looked at in each frame. */
export function msUntil(deed: string, test: string): string {
  return `new Promise((resolve) => {
    const from = performance.now();
    ${deed};
    const look = () => (${test}) ? resolve(performance.now() - from) : requestAnimationFrame(look);
    requestAnimationFrame(look);
  })`;
}

/** Presses of keys, as the page hears them. */
export function keysOn(...keys: readonly string[]): string {
  return keys
    .map((key) => `document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', bubbles: true }))`)
    .join(';');
}

/** Whether a page with this heading shows its first data. */
export function showsData(heading: string, element: string): string {
  return `document.querySelector('h1')?.textContent === '${heading}' && document.querySelector('${element}') !== null`;
}

/** Scrolls the list by so many pixels in each frame; resolves with the time of each frame. */
export function framesOfScrolling(pixels: number, frames: number): string {
  return `new Promise((resolve) => {
    const list = document.querySelector('[role="grid"]');
    const times = [];
    let last = performance.now();
    const step = (now) => {
      times.push(now - last);
      last = now;
      list.scrollTop += ${pixels};
      if (times.length < ${frames}) requestAnimationFrame(step);
      else resolve({ times: times.slice(2), nodes: document.querySelectorAll('#content *').length });
    };
    requestAnimationFrame(step);
  })`;
}

/** Notes when an element that the selector finds is in the page for the first time. */
export function noteFirst(selector: string): string {
  return `new MutationObserver((_changes, observer) => {
    if (document.querySelector('${selector}') === null) return;
    window.clewFirstAt = performance.now();
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true })`;
}

/** Milliseconds from the beginning or the end of the first answer of a path to the element that was waited for. */
export function msAfter(moment: 'requestStart' | 'responseEnd', path: RegExp): string {
  return `(() => {
    const [answer] = performance.getEntriesByType('resource').filter(({ name }) => ${String(path)}.test(name));
    return window.clewFirstAt - answer.${moment};
  })()`;
}

/** Notes how long each key or click took until the page was painted again, by the number of the interaction. */
export const INTERACTIONS = `(() => {
  const seen = (window.clewInteractions = new Map());
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries()) {
      if (interactionId > 0) seen.set(interactionId, Math.max(seen.get(interactionId) ?? 0, duration));
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });
})()`;

/** Milliseconds of each interaction, once the last of them has been told. */
export function interactionsOf(): string {
  return 'new Promise((resolve) => setTimeout(() => resolve([...window.clewInteractions.values()]), 500))';
}

/** Begins to wait, from the next key on, for another title beside the queue. */
export function noteNextItem(): string {
  return `(() => {
    const title = () => document.querySelector('section[aria-label="Item"] h2')?.textContent ?? '';
    const before = title();
    window.clewNext = new Promise((resolve) => {
      addEventListener('keydown', () => {
        const from = performance.now();
        const look = () => (title() !== before && title() !== '') ? resolve(performance.now() - from) : requestAnimationFrame(look);
        requestAnimationFrame(look);
      }, { once: true, capture: true });
    });
  })()`;
}

export const NEXT_ITEM_MS = 'window.clewNext';

/** Time of the clock at which an element has these words for the first time. */
export function textSeenAt(selector: string, words: string): string {
  return `new Promise((resolve) => {
    const look = () => document.querySelector('${selector}').textContent.includes('${words}') ? resolve(Date.now()) : requestAnimationFrame(look);
    requestAnimationFrame(look);
  })`;
}
