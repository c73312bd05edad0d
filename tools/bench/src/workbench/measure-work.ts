import { setTimeout as sleep } from 'node:timers/promises';
import { settled, type Person } from '@clew/browser';
import { percentile } from '../support/statistics.ts';
import { INTERACTIONS, interactionsOf, noteNextItem, NEXT_ITEM_MS, textSeenAt } from './in-page.ts';
import type { Measured } from './measure.ts';
import { QUEUED_ITEMS, type CallApi, type SeededProject } from './seeded.ts';

/** Project and the API by which it is changed while somebody looks at it. */
export interface Worked extends Measured {
  readonly project: SeededProject;
  readonly call: CallApi;
}

const DECISIONS = 30;
const CHANGES = 6;
/** Changes of items in a second: 10,000 a minute. */
const EVENTS_PER_SECOND = 10_000 / 60;
const BUSY_SECONDS = 15;
/** Items that one call changes. */
const AT_ONCE = 100;

/** Keys of somebody who goes through Findings: the list, its selection, a look beside it, a Finding, and back. */
const KEYS_OF_WORK: readonly string[] = [
  ...['j', 'j', 'j', 'j', 'k', 'x', 'x', 'Space', 'j', 'j', 'Space', 'Enter', 'n', 'n', ']', ']', 'u'],
  ...['g h', 'g c', 'j', 'j', 'Space', 'Space', 'g f', 'Control+k', 'Escape', '?', 'Escape'],
];

/** Accepts items of the queue one after the other; from each key to the next item on the screen. */
export async function measureQueue({ open, projectId }: Measured): Promise<{ nextP95Ms: number }> {
  const person = await open();
  await person.go(`/p/${projectId}/knowledge`);
  await settled(person.page, person.watch);
  await person.page.getByRole('grid').focus();
  await person.page.keyboard.press('Home');
  await settled(person.page, person.watch);
  const times: number[] = [];
  for (let decision = 0; decision < DECISIONS; decision += 1) {
    await person.page.evaluate(noteNextItem());
    await person.page.keyboard.press('a');
    times.push(await person.page.evaluate<number>(NEXT_ITEM_MS));
  }
  await person.close();
  return { nextP95Ms: percentile(times, 0.95) };
}

/** Time from a key to the next painting after it, as the browser tells it of real keys. */
export async function measureInteractions({ open, projectId }: Measured): Promise<{ p75Ms: number; maxMs: number }> {
  const person = await open();
  await person.context.addInitScript(INTERACTIONS);
  await person.go(`/p/${projectId}/findings?view=all`);
  await settled(person.page, person.watch);
  await person.page.getByRole('grid').focus();
  for (const keys of [...KEYS_OF_WORK, ...KEYS_OF_WORK]) {
    for (const key of keys.split(' ')) await person.page.keyboard.press(key);
    await settled(person.page, person.watch);
    if (keys === 'g f') await person.page.getByRole('grid').focus();
  }
  const times = await person.page.evaluate<number[]>(interactionsOf());
  await person.close();
  return { p75Ms: percentile(times, 0.75), maxMs: Math.max(...times) };
}

/** Changes a Finding as somebody else does; from the answer of the API to the words on the page of who looks at it. */
export async function measureLive({ open, projectId, project, call }: Worked): Promise<{ changeMs: number }> {
  const person = await open();
  await person.go(`/p/${projectId}/findings/${project.findingId}`);
  await settled(person.page, person.watch);
  const times: number[] = [];
  for (let change = 0; change < CHANGES; change += 1) {
    const [reviewStatus, shown] = change % 2 === 0 ? ['confirmed', 'Confirmed'] : ['dismissed', 'Dismissed'];
    const seen = person.page.evaluate<number>(textSeenAt('main', shown));
    await call(`/v1/projects/${projectId}/diagnostics/findings/${project.findingId}`, {
      method: 'PATCH',
      body: { reviewStatus },
    });
    const answeredAtMs = Date.now();
    times.push(Math.max(0, (await seen) - answeredAtMs));
  }
  await person.close();
  return { changeMs: Math.max(...times) };
}

/** Share of a core that a page takes while 10,000 things a minute change in its project. */
export async function measureBusy(worked: Worked): Promise<{ cores: number; movedRows: number }> {
  const person = await worked.open();
  await person.go(`/p/${worked.projectId}/knowledge`);
  await settled(person.page, person.watch);
  const rowsBefore = await rowsOf(person);
  const taskSeconds = await watchTasks(person);
  const beganAtMs = performance.now();
  await changeItems(worked);
  const seconds = (performance.now() - beganAtMs) / 1_000;
  const used = await taskSeconds();
  const rows = await rowsOf(person);
  await person.close();
  return { cores: used / seconds, movedRows: rows.filter((row, at) => row !== rowsBefore[at]).length };
}

async function changeItems({ projectId, project, call }: Worked): Promise<void> {
  const calls = Math.ceil((EVENTS_PER_SECOND * BUSY_SECONDS) / AT_ONCE);
  const everyMs = (1_000 * AT_ONCE) / EVENTS_PER_SECOND;
  const beganAtMs = performance.now();
  for (let turn = 0; turn < calls; turn += 1) {
    const from = QUEUED_ITEMS - AT_ONCE * (1 + (turn % 4));
    const items = project.itemIds.slice(from, from + AT_ONCE).map((itemId) => ({ itemId }));
    const kind = Math.floor(turn / 4) % 2 === 0 ? 'procedure' : 'fact';
    await call(`/v1/projects/${projectId}/knowledge/items/bulk-updates`, { body: { items, change: { kind } } });
    await sleep(Math.max(0, beganAtMs + everyMs * (turn + 1) - performance.now()));
  }
}

function rowsOf({ page }: Person): Promise<string[]> {
  return page.evaluate<string[]>("[...document.querySelectorAll('[role=row]')].map(({ textContent }) => textContent)");
}

/** Begins to count the seconds in which the page does something; the result tells them. */
async function watchTasks({ context, page }: Person): Promise<() => Promise<number>> {
  const devtools = await context.newCDPSession(page);
  await devtools.send('Performance.enable');
  const seconds = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
  };
  const before = await seconds();
  return async () => (await seconds()) - before;
}
