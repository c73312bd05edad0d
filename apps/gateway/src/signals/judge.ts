import type {
  HealthSignal,
  QueueProcessing,
  QueueSignal,
  RepairSignal,
  RetentionSignal,
  SignalFigures,
} from '@clew/contracts';
import type { QueueLook } from './queue-watch.ts';

type Judged = Pick<HealthSignal, 'status' | 'reason'>;

const NOTHING: SignalFigures = { backlog: 0, oldestAgeMs: 0, givenUp: 0 };
const CANNOT_TELL: Judged = { status: 'unknown', reason: 'What would know it does not answer' };

/** Verdict: bad if work has waited for too long, or if some was given up and waits for a person. */
export function judged({ oldestAgeMs, givenUp }: Omit<SignalFigures, 'backlog'>, maxAgeMs: number): Judged {
  const reasons = [
    ...(oldestAgeMs > maxAgeMs ? [`The oldest has waited for ${Math.floor(oldestAgeMs / 1000)} s`] : []),
    ...(givenUp > 0 ? [`Given up, and waiting for a person: ${givenUp}`] : []),
  ];
  return reasons.length === 0 ? { status: 'ok', reason: null } : { status: 'bad', reason: reasons.join('. ') };
}

/**
 * Builds one signal from the figures of consecutive stages; unknown if one stage is unknown and none of the others is
 * bad.
 */
export function signalOf(stages: readonly (SignalFigures | undefined)[], maxAgeMs: number): HealthSignal {
  const known = stages.flatMap((stage) => stage ?? []);
  const figures = known.reduce(
    (sum, stage) => ({
      backlog: sum.backlog + stage.backlog,
      oldestAgeMs: Math.max(sum.oldestAgeMs, stage.oldestAgeMs),
      givenUp: sum.givenUp + stage.givenUp,
    }),
    NOTHING,
  );
  const verdict = judged(figures, maxAgeMs);
  return { ...figures, ...(verdict.status === 'ok' && known.length < stages.length ? CANNOT_TELL : verdict) };
}

/** Signal of work items; the service that knows of them may not have them mounted. */
export function repairSignal(
  told: { repairs?: SignalFigures | undefined } | undefined,
  maxAgeMs: number,
): RepairSignal {
  if (told !== undefined && told.repairs === undefined) return { status: 'not_mounted', reason: null };
  return signalOf([told?.repairs], maxAgeMs);
}

export function retentionSignal(
  figures: (SignalFigures & { lastRunAt: number | null }) | undefined,
  maxAgeMs: number,
): RetentionSignal {
  return { ...signalOf([figures], maxAgeMs), lastRunAt: figures?.lastRunAt ?? null };
}

/** Signal of all queues; bad if one of them is. */
export function queueProcessing(looks: readonly QueueLook[] | undefined, maxAgeMs: number): QueueProcessing {
  const queues = (looks ?? []).map(({ queue, messages, oldestAgeMs, deadLetters, consumers }): QueueSignal => ({
    ...{ queue, depth: messages, oldestAgeMs, deadLetters, consumers },
    ...judged({ oldestAgeMs, givenUp: deadLetters }, maxAgeMs),
  }));
  const signal = signalOf(looks === undefined ? [undefined] : looks.map(figuresOf), maxAgeMs);
  const bad = queues.filter(({ status }) => status === 'bad').map(({ queue }) => queue);
  return { ...signal, ...(bad.length === 0 ? {} : { reason: `Look at ${bad.join(', ')}` }), queues };
}

export function figuresOf({ messages, oldestAgeMs, deadLetters }: QueueLook): SignalFigures {
  return { backlog: messages, oldestAgeMs, givenUp: deadLetters };
}
