import { MAX_INGEST_COUNTS, reportIngest, type IngestAmount } from '@clew/contracts';
import type { ServiceClient } from '@clew/http';
import { dayOf, newId, type Clock } from '@clew/kernel';
import type { Logger } from '@clew/runtime';
import { ProjectDay } from './project-day.ts';

/** Counts of projects, and their reports to the warehouse, one at a time. */
export interface IngestReports {
  /** Returns the count of the present day of a project. */
  dayOf(projectId: string): ProjectDay;
  /** Reports a day that needs room; false if the warehouse cannot be reached. */
  ask(day: ProjectDay, amount: IngestAmount): Promise<boolean>;
  /** Reports everything that is due. */
  report(): Promise<boolean>;
  /** Drops what is known of the quotas of a project, or of all. */
  changed(projectId?: string): void;
}

export interface IngestReportsOptions {
  /** Client of the telemetry warehouse, which keeps the counts of all processes. Its calls end within seconds. */
  warehouse: Pick<ServiceClient, 'call'>;
  clock: Clock;
  logger: Logger;
}

/** Time after a failed report in which nobody waits for another one. */
const UNREACHABLE_MS = 1_000;

export function createIngestReports({ warehouse, clock, logger }: IngestReportsOptions): IngestReports {
  const replica = newId('evt');
  const days = new Map<string, ProjectDay>();
  let unreachableUntilMs = 0;
  let running: Promise<boolean> | undefined;

  // Writing a date takes longer than all else that a message costs here, so it is written once a day.
  let present = { number: Number.NaN, text: '' };
  const today = () => {
    const nowMs = clock.now();
    const number = dayOf(nowMs);
    if (number !== present.number) present = { number, text: new Date(nowMs).toISOString().slice(0, 10) };
    return present.text;
  };

  async function send(some: readonly ProjectDay[]): Promise<void> {
    const sent = some.map((day) => ({ day, report: day.report(), news: day.news }));
    const body = { replica, counts: sent.map(({ report }) => report) };
    const { allowances } = await warehouse.call(reportIngest, { params: {}, body });
    for (const [index, { day, report, news }] of sent.entries()) {
      const allowance = allowances[index];
      if (allowance !== undefined) day.answered(allowance, report, day.news === news);
    }
  }

  async function reportAll(): Promise<boolean> {
    const due = [...days.values()].filter((day) => day.isDue);
    try {
      for (let at = 0; at < due.length; at += MAX_INGEST_COUNTS) await send(due.slice(at, at + MAX_INGEST_COUNTS));
    } catch (error) {
      if (performance.now() >= unreachableUntilMs) logger.warn({ err: error }, 'counts cannot be reported');
      unreachableUntilMs = performance.now() + UNREACHABLE_MS;
      return false;
    }
    for (const [key, day] of days) if (day.day !== today() && day.isSettled) days.delete(key);
    return true;
  }

  function report(): Promise<boolean> {
    running ??= reportAll().finally(() => {
      running = undefined;
    });
    return running;
  }

  return {
    report,
    dayOf(projectId) {
      const held = days.get(projectId);
      if (held?.day === today()) return held;
      if (held !== undefined && !held.isSettled) days.set(`${projectId}:${held.day}`, held);
      const begun = new ProjectDay(projectId, today());
      days.set(projectId, begun);
      return begun;
    },
    async ask(day, amount) {
      if (performance.now() < unreachableUntilMs) return false;
      day.need(amount);
      try {
        // A report under way may have left this need out, so another follows.
        if (running !== undefined && (await running) && day.hasRoomFor(amount)) return true;
        return await report();
      } finally {
        day.noLongerNeed(amount);
      }
    },
    changed(projectId) {
      if (projectId === undefined) days.forEach((day) => day.changed());
      else days.get(projectId)?.changed();
    },
  };
}
