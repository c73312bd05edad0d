import { allowanceChanged, type IngestAmount } from '@clew/contracts';
import { subscribeBroadcast, type Broker } from '@clew/messaging';
import type { BackgroundTask } from '@clew/runtime';
import { createIngestReports, type IngestReportsOptions } from './ingest-reports.ts';
import type { ProjectDay } from './project-day.ts';

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

export interface IngestMeterOptions extends IngestReportsOptions {
  broker: Broker;
}

/** Interval between two reports of counts. */
const REPORT_MS = 1_000;
/** Time for which a refusal is repeated without asking. */
const REFUSED_MS = 500;
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
  const reports = createIngestReports({ warehouse, clock, logger });

  function taken(day: ProjectDay, amount: IngestAmount): TakenRoom {
    day.reserve(amount);
    return { end: (isAccepted) => day.end(amount, isAccepted) };
  }

  async function takeAfterAsking(day: ProjectDay, amount: IngestAmount): Promise<TakenRoom> {
    throwIfRefused(day, amount);
    for (let asked = 1; ; asked += 1) {
      const isReached = await reports.ask(day, amount);
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
    requireOpen: (projectId) => throwIfRefused(reports.dayOf(projectId), LEAST),
    take(projectId, amount) {
      const day = reports.dayOf(projectId);
      return day.hasRoomFor(amount) ? taken(day, amount) : takeAfterAsking(day, amount);
    },
    start() {
      const broadcast = subscribeBroadcast({
        ...{ broker, logger, spec: allowanceChanged },
        handle: ({ projectId }) => reports.changed(projectId),
        onSubscribed: () => reports.changed(),
      });
      const timer = setInterval(() => void reports.report(), REPORT_MS);
      timer.unref();
      return {
        name: 'ingest counts',
        async stop() {
          clearInterval(timer);
          await broadcast.stop();
          // A report under way may have left out the last counts, and another tells them and gives allowances back.
          await reports.report();
          await reports.report();
        },
      };
    },
  };
}
