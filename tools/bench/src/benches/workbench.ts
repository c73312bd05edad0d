import { join } from 'node:path';
import { openBrowser } from '@clew/browser';
import { withTemporaryStack } from '@clew/stack';
import { readOptions } from '../support/options.ts';
import { stackAtRest } from '../support/stack-at-rest.ts';
import { round } from '../support/statistics.ts';
import { printTable } from '../support/table.ts';
import {
  measureFirstPage,
  measureLeaks,
  measureList,
  measurePageToPage,
  measureTrace,
  measureTranscript,
} from '../workbench/measure.ts';
import { measureBusy, measureInteractions, measureLive, measureQueue, type Worked } from '../workbench/measure-work.ts';
import { createCallApi, seededProject } from '../workbench/seeded.ts';
import { sizesOf } from '../workbench/sizes.ts';

const DIST = join(import.meta.dirname, '../../../../apps/workbench/dist');
const THROTTLE = 4;
const WARM_ROUNDS = 10;
/** Two frames of a screen of 60 Hz, of which each takes a whole number. */
const TWO_FRAMES_MS = 33.5;

/** Figure with the most that it may be. */
type Row = readonly [name: string, figure: number, bar: number];

/**
 * Measures the Workbench in a real Chromium, without a graphics processor: what it loads, how soon pages show data, how
 * smoothly a long list scrolls, and whether memory is lost. Data is inserted as documents.
 */
export async function run(args: readonly string[]): Promise<Record<string, unknown>> {
  const values = readOptions(args, {
    findings: { type: 'string', default: '100000' },
    conversations: { type: 'string', default: '1000000' },
    changes: { type: 'string', default: '200' },
  });
  const counts = { findings: Number(values.findings), conversations: Number(values.conversations) };
  return await withTemporaryStack({}, async ({ stackFile }) => {
    const { gatewayUrl, adminEmail, adminPassword } = stackFile;
    if (adminEmail === undefined || adminPassword === undefined) throw new Error('The stack has no owner');
    const call = createCallApi(stackFile);
    const project = await seededProject(stackFile, call, counts);
    const restedAfterS = await stackAtRest(stackFile);
    const browser = await openBrowser(gatewayUrl);
    try {
      const open = () => browser.open({ email: adminEmail, password: adminPassword });
      const { projectId } = project;
      const rows = await measured({ browser, projectId, open, project, call }, Number(values.changes));
      return { ...figuresOf(counts, rows), restedAfterS: round(restedAfterS) };
    } finally {
      await browser.close();
    }
  });
}

async function measured(who: Worked, changes: number): Promise<Row[]> {
  const sizes = sizesOf(DIST);
  // Pages come before the first page, so that it meets services that have answered before, as visitors do.
  const pages = await measurePageToPage(who, WARM_ROUNDS);
  const first = await measureFirstPage(who, 1);
  const throttled = await measureFirstPage(who, THROTTLE);
  const list = await measureList(who);
  const transcript = await measureTranscript(who);
  const trace = await measureTrace(who);
  const interactions = await measureInteractions(who);
  const queue = await measureQueue(who);
  const live = await measureLive(who);
  const busy = await measureBusy(who);
  const leaks = await measureLeaks(who, changes);
  return [
    ['initialJsKib', sizes.initialJsKib, 200],
    ['largestPageKib', sizes.largestPageKib, 60],
    ['allJsKib', sizes.allJsKib, 700],
    ['cssKib', sizes.cssKib, 20],
    ['firstPageLcpMs', first.lcpMs, 1_000],
    ['firstPageThrottledLcpMs', throttled.lcpMs, 1_500],
    ['layoutShift', Math.max(first.cls, throttled.cls), 0.02],
    ['pageWarmP75Ms', pages.warmP75Ms, 200],
    ['pageColdP75Ms', pages.coldP75Ms, 500],
    ['listFrameP50Ms', list.frameP50Ms, TWO_FRAMES_MS],
    ['listFrameP95Ms', list.frameP95Ms, TWO_FRAMES_MS],
    ['listLongestTaskMs', list.longestTaskMs, 100],
    ['listNodes', list.nodes, 400],
    ['listHeapMib', list.heapMib, 150],
    ['transcriptOpenMs', transcript.openMs, 300],
    ['transcriptJumpMs', transcript.jumpMs, 50],
    ['traceOpenMs', trace.openMs, 500],
    ['traceFoldMs', trace.foldMs, 50],
    ['interactionP75Ms', interactions.p75Ms, 100],
    ['interactionMaxMs', interactions.maxMs, 200],
    ['queueNextP95Ms', queue.nextP95Ms, 100],
    ['liveChangeMs', live.changeMs, 2_000],
    ['busyCores', busy.cores, 0.1],
    ['busyMovedRows', busy.movedRows, 0],
    ['heapGrowthMib', leaks.growthMib, 10],
    ['listenersMore', leaks.listenersMore, 10],
  ];
}

function figuresOf(counts: Record<string, number>, rows: readonly Row[]): Record<string, unknown> {
  printTable(
    ['what', 'figure', 'bar'],
    rows.map(([name, figure, bar]) => [name, String(round(figure, 2)), String(bar)]),
  );
  const missed = rows.filter(([, figure, bar]) => !(figure <= bar)).map(([name]) => name);
  return {
    ...counts,
    ...Object.fromEntries(rows.map(([name, figure]) => [name, round(figure, 2)])),
    ...{ isMet: missed.length === 0, missed },
  };
}
