import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import {
  AUTO_MODEL,
  MAX_MODELS_ASKED,
  type ModelAvailability as Answered,
  UNAVAILABLE_TEXTS,
  type UnavailableReason,
} from '@clew/contracts';
import { inParts, type Clock } from '@clew/kernel';
import type { Logger } from '@clew/runtime';

/** Whether a model can be used now, and the reason if not. */
export interface ModelAvailability {
  available: boolean;
  /** Text for people; null if the model is available. */
  reason: string | null;
}

export interface ModelAvailabilitiesDependencies {
  /** Asks the model runtime, which leaves out models about which it knows nothing within `waitMs`. */
  ask(
    projectId: string,
    models: readonly string[],
    waitMs: number,
  ): Promise<readonly Pick<Answered, 'model' | 'available' | 'reason'>[]>;
  clock: Clock;
  logger: Logger;
  /** Wait in milliseconds of a read for a model about which nothing is known; 5,000 by default. */
  waitMs?: number;
}

/** Models that projects can use now, as the model runtime reports them. */
export interface ModelAvailabilities {
  /** Availability by model. Never rejects: a model about which nothing is known is left out. */
  of(projectId: string, models: readonly string[]): Promise<ReadonlyMap<string, ModelAvailability>>;
  /** Reports that the availability of a model has changed. */
  changed(projectId: string, model: string): void;
  /** Reports that changes may have been missed. */
  forgetAll(): void;
}

/** Cached knowledge about one model of a project. */
interface Known {
  answer?: ModelAvailability;
  answeredAtMs: number;
  /** Time until which the runtime is not asked again. */
  freshUntilMs: number;
  asking?: Promise<void> | undefined;
  /** Time until which reads wait for the pending answer. */
  lateAtMs: number;
  /** Reason for a missing newer answer: the runtime could not be asked, or did not know in time. */
  missed?: 'away' | 'late' | undefined;
}

type Due = readonly [model: string, known: Known];

/** Longest wait in milliseconds; a new model is probed by three calls to its provider, one after the other. */
const WAIT_MS = 5_000;
/** Wait in milliseconds for a model that is known already, or for which a wait was in vain. */
const SHORT_WAIT_MS = 1_000;
/** Share of the wait that the runtime may use; the rest is for the network. */
const SHARE_OF_RUNTIME = 0.8;
const FRESH_MS = 5_000;
const ASK_AGAIN_MS = 1_000;
/** Time in milliseconds for which an answer stays valid while it cannot be renewed. */
const HOLDS_MS = 5 * 60_000;
const MAX_KEPT = 10_000;

export function createModelAvailabilities(deps: ModelAvailabilitiesDependencies): ModelAvailabilities {
  const { clock, logger, waitMs = WAIT_MS } = deps;
  const kept = new LRUCache<string, Known>({ max: MAX_KEPT });

  function knownOf(projectId: string, model: string): Known {
    const key = keyOf(projectId, model);
    const known = kept.get(key) ?? { answeredAtMs: 0, freshUntilMs: 0, lateAtMs: 0 };
    kept.set(key, known);
    return known;
  }

  /** Asks for all due models at once. */
  function ask(projectId: string, due: readonly Due[]): void {
    const isNew = due.some(([, { answer, missed }]) => answer === undefined && missed === undefined);
    const patienceMs = isNew ? waitMs : Math.min(waitMs, SHORT_WAIT_MS);
    const asking = take(projectId, due, Math.floor(SHARE_OF_RUNTIME * patienceMs));
    for (const [, known] of due) Object.assign(known, { asking, lateAtMs: clock.now() + patienceMs });
    void asking.then(() => due.forEach(([, known]) => (known.asking = undefined)));
  }

  /** Asks the runtime and stores its answers; never rejects. */

  async function take(projectId: string, due: readonly Due[], runtimeWaitMs: number): Promise<void> {
    const models = due.map(([model]) => model);
    try {
      const answers = await deps.ask(projectId, models, runtimeWaitMs);
      const answerOf = new Map(answers.map((answer) => [answer.model, answer]));
      for (const [model, known] of due) note(known, model, answerOf.get(model));
    } catch (error) {
      logger.warn({ err: error, projectId, models: models.slice(0, 10) }, 'could not ask the model runtime');
      const freshUntilMs = clock.now() + ASK_AGAIN_MS;
      for (const [, known] of due) Object.assign(known, { missed: 'away', freshUntilMs });
    }
  }

  function note(known: Known, model: string, answered: Pick<Answered, 'available' | 'reason'> | undefined): void {
    known.missed = answered === undefined ? 'late' : undefined;
    known.freshUntilMs = clock.now() + (answered === undefined ? ASK_AGAIN_MS : FRESH_MS);
    if (answered === undefined) return;
    const { available, reason } = answered;
    known.answer = { available, reason: available ? null : reasonOf(model, reason) };
    known.answeredAtMs = clock.now();
  }

  function availabilityOf(model: string, { answer, answeredAtMs, missed }: Known): ModelAvailability | undefined {
    if (answer !== undefined && clock.now() - answeredAtMs < HOLDS_MS) return answer;
    if (missed !== 'away') return undefined;
    return {
      available: false,
      reason: `The model runtime cannot be asked now whether the model ${model} is available`,
    };
  }

  return {
    async of(projectId, models) {
      const page = [...new Set(models)].map((model): Due => [model, knownOf(projectId, model)]);
      const nowMs = clock.now();
      const due = page.filter(([, { asking, freshUntilMs }]) => asking === undefined && freshUntilMs <= nowMs);
      for (const part of inParts(due, () => 1, MAX_MODELS_ASKED)) ask(projectId, part);
      await inTime(page.flatMap(([, { asking, lateAtMs }]) => (asking === undefined ? [] : { asking, lateAtMs })));
      return new Map(
        page.flatMap(([model, known]) => {
          const availability = availabilityOf(model, known);
          return availability === undefined ? [] : [[model, availability] as const];
        }),
      );
    },
    changed(projectId, model) {
      // Pending answers are outdated: only the reads that already wait for them get them.
      for (const each of [model, AUTO_MODEL]) kept.delete(keyOf(projectId, each));
    },
    forgetAll: () => kept.clear(),
  };

  async function inTime(asked: readonly { asking: Promise<void>; lateAtMs: number }[]): Promise<void> {
    if (asked.length === 0) return;
    const waiting = new AbortController();
    const leftMs = Math.max(...asked.map(({ lateAtMs }) => lateAtMs)) - clock.now();
    const timeout = sleep(Math.max(0, leftMs), undefined, { signal: waiting.signal, ref: false });
    await Promise.race([Promise.all(asked.map(({ asking }) => asking)), timeout.catch(() => undefined)]);
    waiting.abort();
  }
}

function keyOf(projectId: string, model: string): string {
  return `${projectId}:${model}`;
}

function reasonOf(model: string, reason: UnavailableReason | null): string {
  return `The model ${model} is not available${reason === null ? '' : `: ${UNAVAILABLE_TEXTS[reason]}`}`;
}
