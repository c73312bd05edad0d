import { allowanceChanged, MAX_INGEST_COUNTS, reportIngest, type IngestAmount } from '@clew/contracts';
import type { ServiceClient } from '@clew/http';
import { newId, type Clock } from '@clew/kernel';
import { subscribeBroadcast, type Broker } from '@clew/messaging';
import type { BackgroundTask, Logger } from '@clew/runtime';
import { ProjectDay } from './project-day.ts';

/** Room that was taken for a message; ended once it is known whether the message was accepted. */
export interface TakenRoom {
  end(isAccepted: boolean): void;
}

/** Counts what is accepted of each project, and refuses what its quotas have no room for. */
export interface IngestMeter {
  /** Throws QUOTA_EXCEEDED if a request of the project was refused a moment ago: before its body is read. */
  requireOpen(projectId: string): void;
  /** Takes room for a message that is about to be published; throws QUOTA_EXCEEDED if there is none. */
  take(projectId: string, amount: IngestAmount): TakenRoom | Promise<TakenRoom>;
  start(): BackgroundTask;
}

export interface IngestMeterOptions {
  /** Client of the telemetry warehouse, which keeps the counts of all processes. Its calls end within seconds. */
  warehouse: Pick<ServiceClient, 'call'>;
  broker: Broker;
  clock: Clock;
  logger: Logger;
}

/** Interval between two reports of counts. */
const REPORT_MS = 1_000;
/** Time for which a refusal is repeated without asking. */
const REFUSED_MS = 500;
/** Time after a failed report in which nobody waits for another one. */
const UNREACHABLE_MS = 1_000;
/** Times that a message asks while answers are overtaken. */
const MAX_ASKED = 10;
/** Least message that there can be. */
const LEAST: IngestAmount = { bytes: 1, records: 1 };

/**
 * Accepts within an allowance that the warehouse grants in advance, so that a message costs a comparison. Only a
 * message that the allowance does not cover waits for a report. While the warehouse is away, everything is accepted and
 * counted: a quota is no reason to lose telemetry.
 */
export function createIngestMeter({ warehouse, broker, clock, logger }: IngestMeterOptions): IngestMeter {
  const replica = newId('evt');
  const days = new Map<string, ProjectDay>();
  let unreachableUntilMs = 0;
  let running: Promise<boolean> | undefined;

  function dayOf(projectId: string): ProjectDay {
    const held = days.get(projectId);
    const day = new Date(clock.now()).toISOString().slice(0, 10);
    if (held?.day === day) return held;
    if (held !== undefined && !held.isSettled) days.set(`${projectId}:${held.day}`, held);
    const begun = new ProjectDay(projectId, day);
    days.set(projectId, begun);
    return begun;
  }

  async function send(some: readonly ProjectDay[]): Promise<void> {
    const sent = some.map((day) => ({ day, report: day.report(), news: day.news }));
    const body = { replica, counts: sent.map(({ report }) => report) };
    const { allowances } = await warehouse.call(reportIngest, { params: {}, body });
    for (const [index, { day, report, news }] of sent.entries()) {
      const allowance = allowances[index];
      if (allowance !== undefined) day.answered(allowance, report, day.news === news);
    }
  }

  /** Reports everything that is due; false if the warehouse cannot be reached. */
  async function reportAll(): Promise<boolean> {
    const due = [...days.values()].filter((day) => day.isDue);
    try {
      for (let at = 0; at < due.length; at += MAX_INGEST_COUNTS) await send(due.slice(at, at + MAX_INGEST_COUNTS));
    } catch (error) {
      if (performance.now() >= unreachableUntilMs) logger.warn({ err: error }, 'counts cannot be reported');
      unreachableUntilMs = performance.now() + UNREACHABLE_MS;
      return false;
    }
    const today = new Date(clock.now()).toISOString().slice(0, 10);
    for (const [key, day] of days) if (day.day !== today && day.isSettled) days.delete(key);
    return true;
  }

  function reportOnce(): Promise<boolean> {
    running ??= reportAll().finally(() => {
      running = undefined;
    });
    return running;
  }

  /** Reports a day that waits; a report under way may have left it out, so another follows. */
  async function ask(day: ProjectDay, amount: IngestAmount): Promise<boolean> {
    if (performance.now() < unreachableUntilMs) return false;
    day.need(amount);
    try {
      if (running !== undefined && (await running) && day.hasRoomFor(amount)) return true;
      return await reportOnce();
    } finally {
      day.noLongerNeed(amount);
    }
  }

  function taken(day: ProjectDay, amount: IngestAmount): TakenRoom {
    day.reserve(amount);
    return { end: (isAccepted) => day.end(amount, isAccepted) };
  }

  async function takeAfterAsking(day: ProjectDay, amount: IngestAmount): Promise<TakenRoom> {
    throwIfRefused(day, amount);
    for (let asked = 1; ; asked += 1) {
      const isReached = await ask(day, amount);
      if (!isReached || day.hasRoomFor(amount)) return taken(day, amount);
      // A change that was announced meanwhile is not in the answer, and others may have taken the room that it gave.
      if ((day.isFresh && day.isShort) || asked === MAX_ASKED) break;
    }
    const refusal = day.refusal(amount, clock.now());
    if (refusal === undefined) return taken(day, amount);
    day.refusedUntilMs = performance.now() + REFUSED_MS;
    throw refusal;
  }

  function throwIfRefused(day: ProjectDay, amount: IngestAmount): void {
    if (performance.now() >= day.refusedUntilMs) return;
    const refusal = day.refusal(amount, clock.now());
    if (refusal !== undefined) throw refusal;
  }

  return {
    requireOpen: (projectId) => throwIfRefused(dayOf(projectId), LEAST),
    take(projectId, amount) {
      const day = dayOf(projectId);
      return day.hasRoomFor(amount) ? taken(day, amount) : takeAfterAsking(day, amount);
    },
    start() {
      const broadcast = subscribeBroadcast({
        ...{ broker, logger, spec: allowanceChanged },
        handle({ projectId }) {
          days.get(projectId)?.changed();
        },
        onSubscribed: () => days.forEach((day) => day.changed()),
      });
      const reports = setInterval(() => void reportOnce(), REPORT_MS);
      reports.unref();
      return {
        name: 'ingest counts',
        async stop() {
          clearInterval(reports);
          await broadcast.stop();
          await running;
          // What is left is told, and allowances are given back.
          await reportOnce();
        },
      };
    },
  };
}
