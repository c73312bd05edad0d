import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { AUTO_MODEL, type ModelAvailability as Answered, type UnavailableReason } from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import type { Logger } from '@clew/runtime';
import type { ModelAvailability } from '../datasets/dataset.ts';

export interface ModelAvailabilitiesDependencies {
  /** Asks the model runtime, which may take a while: a model that nobody has asked for before is probed. */
  ask(projectId: string, model: string): Promise<Pick<Answered, 'available' | 'reason'>>;
  clock: Clock;
  logger: Logger;
  /** How long a read waits for an answer; 1,000 by default. */
  waitMs?: number;
}

/** Which models the projects can use now, as the model runtime says. */
export interface ModelAvailabilities {
  /** By model. Never rejects: what is not known in time is not available, and says so. */
  of(projectId: string, models: readonly string[]): Promise<ReadonlyMap<string, ModelAvailability>>;
  /** The availability of a model has changed. */
  changed(projectId: string, model: string): void;
  /** Changes may have been missed. */
  forgetAll(): void;
}

interface Answer extends ModelAvailability {
  keptMs: number;
}

interface Asked {
  answer: Promise<Answer>;
  /** From then on nobody waits for it any more. */
  lateAt: number;
}

const WAIT_MS = 1_000;
const KEPT_MS = 5_000;
/** That the model runtime is away is kept for a shorter time. */
const UNKNOWN_KEPT_MS = 1_000;
const MAX_KEPT = 10_000;
/** Of a page of Datasets with more models than this, the others are asked for by later reads. */
const MAX_ASKED = 20;
const MAX_UNDER_WAY = 200;

const REASONS: Readonly<Record<UnavailableReason, string>> = {
  provider_not_found: 'the project has no such provider',
  model_not_found: 'its provider does not know it',
  service_not_running: 'its local service is not running',
  credentials_refused: 'its provider refuses the credentials',
  provider_unreachable: 'its provider cannot be reached',
  no_chat: 'it does not support Chat Completions',
  no_json_mode: 'it does not support JSON Mode',
  judgement_not_passed: 'no model of the project passes the judgement test',
  no_suitable_model: 'the project has no suitable model',
};

export function createModelAvailabilities(deps: ModelAvailabilitiesDependencies): ModelAvailabilities {
  const { clock, logger, waitMs = WAIT_MS } = deps;
  const known = new LRUCache<string, Answer>({ max: MAX_KEPT, perf: clock, ttlResolution: 0 });
  const underWay = new Map<string, Asked>();

  function ask(projectId: string, model: string): Asked {
    const key = keyOf(projectId, model);
    const asked: Asked = { answer: answerOf(projectId, model), lateAt: clock.now() + waitMs };
    underWay.set(key, asked);
    void asked.answer.then((answer) => {
      // What was overtaken by a change is good for those who wait for it alone.
      if (underWay.get(key) !== asked) return;
      underWay.delete(key);
      known.set(key, answer, { ttl: answer.keptMs });
    });
    return asked;
  }

  async function answerOf(projectId: string, model: string): Promise<Answer> {
    try {
      const { available, reason } = await deps.ask(projectId, model);
      return { available, reason: available ? null : reasonOf(model, reason), keptMs: KEPT_MS };
    } catch (error) {
      logger.warn({ err: error, projectId, model }, 'could not ask the model runtime');
      const away = `The model runtime cannot be asked now whether the model ${model} is available`;
      return { available: false, reason: away, keptMs: UNKNOWN_KEPT_MS };
    }
  }

  async function inTime({ answer, lateAt }: Asked, model: string): Promise<ModelAvailability> {
    const late = notYet(model);
    const waiting = new AbortController();
    const options = { signal: waiting.signal, ref: false };
    const timeout = sleep(Math.max(0, lateAt - clock.now()), late, options).catch(() => late);
    const first = await Promise.race([answer, timeout]);
    waiting.abort();
    return first;
  }

  return {
    async of(projectId, models) {
      let left = MAX_ASKED;
      const found = [...new Set(models)].map(async (model): Promise<[string, ModelAvailability]> => {
        const key = keyOf(projectId, model);
        const kept = known.get(key);
        if (kept !== undefined) return [model, kept];
        let asked = underWay.get(key);
        if (asked === undefined && left > 0 && underWay.size < MAX_UNDER_WAY) {
          left -= 1;
          asked = ask(projectId, model);
        }
        return [model, asked === undefined ? notYet(model) : await inTime(asked, model)];
      });
      return new Map(await Promise.all(found));
    },
    changed(projectId, model) {
      for (const each of [model, AUTO_MODEL]) {
        known.delete(keyOf(projectId, each));
        underWay.delete(keyOf(projectId, each));
      }
    },
    forgetAll() {
      known.clear();
      underWay.clear();
    },
  };
}

function keyOf(projectId: string, model: string): string {
  return `${projectId}:${model}`;
}

function reasonOf(model: string, reason: UnavailableReason | null): string {
  return `The model ${model} is not available${reason === null ? '' : `: ${REASONS[reason]}`}`;
}

function notYet(model: string): ModelAvailability {
  return { available: false, reason: `Whether the model ${model} is available is not known yet` };
}
