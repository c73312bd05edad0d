import { settled, type Person, type TestBrowser } from '@clew/browser';
import { median, percentile } from '../support/statistics.ts';
import { COLLECTOR, framesOfScrolling, keysOn, msAfter, msUntil, noteFirst, SEEN, showsData } from './in-page.ts';
import { TRACE_ID, TRACE_SPANS, TRANSCRIPT_ID, TRANSCRIPT_MESSAGES } from './seeded.ts';

/** Somebody whose browser is measured. */
export interface Measured {
  readonly browser: TestBrowser;
  readonly projectId: string;
  open(): Promise<Person>;
}

interface Seen {
  readonly lcpMs: number;
  readonly cls: number;
  readonly longestTaskMs: number;
}

const ROUNDS = 3;
/** Pixels of a list that pass in a frame: six rows, faster than a wheel is turned. */
const SCROLLED_PX = 240;
const FRAMES = 300;
const MIB = 1_048_576;

/** Opens Home with an empty cache of the browser. */
export async function measureFirstPage({ open, projectId }: Measured, throttle: number) {
  const seen: Seen[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const person = await open();
    await person.context.addInitScript(COLLECTOR);
    const devtools = await person.context.newCDPSession(person.page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: throttle });
    await person.go(`/p/${projectId}`);
    await settled(person.page, person.watch);
    seen.push(await person.page.evaluate<Seen>(SEEN));
    await person.close();
  }
  return { lcpMs: median(seen.map(({ lcpMs }) => lcpMs)), cls: Math.max(...seen.map(({ cls }) => cls)) };
}

const PAGES = [
  { keys: ['g', 'f'], shown: showsData('Findings', '[role="grid"] [aria-rowindex="2"]') },
  { keys: ['g', 'c'], shown: showsData('Conversations', '[role="grid"] [aria-rowindex="2"]') },
  { keys: ['g', 'h'], shown: showsData('Home', 'figure') },
];

/** Goes round the pages, first without anything in memory, then with it. */
export async function measurePageToPage({ open, projectId }: Measured, rounds: number) {
  const person = await open();
  await person.go(`/p/${projectId}`);
  await settled(person.page, person.watch);
  const cold: number[] = [];
  const warm: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    for (const { keys, shown } of PAGES) {
      const ms = await person.page.evaluate<number>(msUntil(keysOn(...keys), shown));
      if (round > 0) warm.push(ms);
      else if (keys[1] !== 'h') cold.push(ms);
    }
  }
  await person.close();
  return { coldP75Ms: percentile(cold, 0.75), warmP75Ms: percentile(warm, 0.75) };
}

/** Scrolls fast through the list, page by page. */
export async function measureList({ open, projectId }: Measured) {
  const person = await open();
  await person.context.addInitScript(COLLECTOR);
  await person.go(`/p/${projectId}/findings?view=all`);
  await settled(person.page, person.watch);
  await person.page.evaluate(`${SEEN}.longestTaskMs = 0`);
  const { times, nodes } = await person.page.evaluate<{ times: number[]; nodes: number }>(
    framesOfScrolling(SCROLLED_PX, FRAMES),
  );
  const { longestTaskMs } = await person.page.evaluate<Seen>(SEEN);
  const heapMib = (await heapOf(person)).bytes / MIB;
  await person.close();
  return { frameP50Ms: percentile(times, 0.5), frameP95Ms: percentile(times, 0.95), nodes, longestTaskMs, heapMib };
}

/** Opens a long transcript, and jumps to its last step. */
export async function measureTranscript({ open, projectId }: Measured) {
  const opened: number[] = [];
  const jumped: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const person = await open();
    await person.context.addInitScript(noteFirst('article'));
    await person.go(`/p/${projectId}/conversations/${TRANSCRIPT_ID}`);
    await settled(person.page, person.watch);
    opened.push(await person.page.evaluate<number>(msAfter('responseEnd', /\/conversations\/[^/?]+$/)));
    await person.page.getByRole('button', { name: 'Steps', exact: true }).click();
    await person.page.getByRole('grid', { name: 'Steps', exact: true }).focus();
    await person.page.keyboard.press('End');
    await person.page.locator(`[aria-rowindex="${TRANSCRIPT_MESSAGES + 1}"][data-cursor]`).waitFor();
    const last = `document.querySelector('#step-${TRANSCRIPT_MESSAGES - 1}') !== null`;
    jumped.push(await person.page.evaluate<number>(msUntil(keysOn('Enter'), last)));
    await person.close();
  }
  return { openMs: median(opened), jumpMs: median(jumped) };
}

/**
 * Opens a large trace: from the request for it to its first rows, and, once all of it is read, from folding or unfolding
 * one of its spans to the rows that then follow.
 */
export async function measureTrace({ open, projectId }: Measured) {
  const opened: number[] = [];
  const folded: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const person = await open();
    await person.context.addInitScript(noteFirst('[role="treegrid"] [aria-rowindex="2"]'));
    await person.go(`/p/${projectId}/traces/${TRACE_ID}`);
    await person.page.locator(`[role="treegrid"][aria-rowcount="${TRACE_SPANS + 1}"]`).waitFor({ timeout: 60_000 });
    await settled(person.page, person.watch);
    opened.push(await person.page.evaluate<number>(msAfter('requestStart', /\/traces\/[^/]+$/)));
    for (const isFolded of [true, false]) {
      const hasChanged = `document.querySelector('#span-row-1')?.getAttribute('aria-expanded') === '${!isFolded}'`;
      const press = "document.querySelector('#span-row-1 button').click()";
      folded.push(await person.page.evaluate<number>(msUntil(press, hasChanged)));
    }
    await person.close();
  }
  return { openMs: median(opened), foldMs: Math.max(...folded) };
}

/** Changes pages many times; what is left in memory after that is lost. */
export async function measureLeaks({ open, projectId }: Measured, changes: number) {
  const person = await open();
  await person.go(`/p/${projectId}`);
  await settled(person.page, person.watch);
  const go = async (times: number) => {
    for (let change = 0; change < times; change += 1) {
      const { keys, shown } = PAGES[change % PAGES.length] ?? { keys: [], shown: 'true' };
      await person.page.evaluate<number>(msUntil(keysOn(...keys), shown));
    }
  };
  await go(PAGES.length * 5);
  const before = await heapOf(person);
  // Both are taken on the same page.
  await go(Math.ceil(changes / PAGES.length) * PAGES.length);
  const after = await heapOf(person);
  await person.close();
  return { growthMib: (after.bytes - before.bytes) / MIB, listenersMore: after.listeners - before.listeners };
}

async function heapOf({ context, page }: Person): Promise<{ bytes: number; listeners: number }> {
  const devtools = await context.newCDPSession(page);
  await devtools.send('HeapProfiler.enable');
  await devtools.send('HeapProfiler.collectGarbage');
  await devtools.send('Performance.enable');
  const { metrics } = await devtools.send('Performance.getMetrics');
  const valueOf = (name: string) => metrics.find((each) => each.name === name)?.value ?? Number.NaN;
  await devtools.detach();
  return { bytes: valueOf('JSHeapUsedSize'), listeners: valueOf('JSEventListeners') };
}
