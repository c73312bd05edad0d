import { setTimeout as sleep } from 'node:timers/promises';
import {
  AUTO_MODEL,
  type Doer,
  type ModelAvailability,
  type ModelPurpose,
  type ModelSettings,
  type ModelSettingsView,
  type UnavailableReason,
} from '@clew/contracts';
import { AppError, type Clock } from '@clew/kernel';
import type { AuditTrail, Database } from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import type { CapabilityStore } from './capabilities.store.ts';
import { embeds, isFresh, type CapabilityRecord } from './capability-record.ts';
import type { AvailabilityLoop } from './availability-loop.ts';
import type { ModelChoice } from './choose-model.ts';
import { fingerprintOf, lookFor, type EvaluateModel } from './evaluate-model.ts';
import type { ModelSettingsStore } from './settings.store.ts';
import type { Endpoints } from '../providers/endpoints.ts';

export interface AvailabilityDependencies {
  database: Pick<Database, 'withTransaction'>;
  audit: AuditTrail;
  settings: ModelSettingsStore;
  capabilities: CapabilityStore;
  choice: ModelChoice;
  evaluate: EvaluateModel;
  endpoints: Pick<Endpoints, 'look'>;
  lookSoon: AvailabilityLoop['lookSoon'];
  clock: Clock;
  logger: Logger;
}

export interface AvailabilityService {
  availabilityOf(projectId: string, model: string, purpose: ModelPurpose): Promise<ModelAvailability>;
  /**
   * Returns the availability of each model once, in no particular order. A model whose check takes longer than `waitMs`
   * gets its last known state, or is left out if nothing is known of it.
   */
  availabilitiesOf(
    projectId: string,
    models: readonly string[],
    options: { purpose: ModelPurpose; waitMs: number },
  ): Promise<ModelAvailability[]>;
  getSettings(projectId: string): Promise<ModelSettingsView>;
  /** Stores settings that are not known to be wrong; whether the default model is usable is checked afterwards. */
  changeSettings(projectId: string, change: Partial<ModelSettings>, doer: Doer): Promise<ModelSettingsView>;
}

/**
 * Maximum number of models checked at the same time for one request: a model probed before takes a query, others take
 * calls of their provider.
 */
const MAX_LOOKED_AT_ONCE = 16;
/** Reasons that an immediate check would give: if the check takes long, they no longer apply. */
const TOLD_AT_ONCE: readonly (string | null)[] = ['provider_not_found', 'service_not_running'];

const SETTINGS_CHANGED = { action: 'model-settings.changed', target: { kind: 'settings', id: 'models' } } as const;

export function createAvailabilityService(deps: AvailabilityDependencies): AvailabilityService {
  const { settings, capabilities, choice, evaluate, endpoints, lookSoon, clock, logger } = deps;

  async function availabilityOf(projectId: string, model: string, purpose: ModelPurpose): Promise<ModelAvailability> {
    const resolvedModel = model === AUTO_MODEL ? await choice.choose(projectId, purpose) : model;
    if (resolvedModel === undefined) {
      const reason = purpose === 'judgement' ? 'judgement_not_passed' : 'no_suitable_model';
      return { model, available: false, reason, resolvedModel: null, capabilities: null, checkedAt: null };
    }
    return asAvailability(model, await evaluate(projectId, resolvedModel), purpose);
  }

  return {
    availabilityOf,
    async availabilitiesOf(projectId, models, { purpose, waitMs }) {
      const lastKnown = new Map((await capabilities.list(projectId)).map((record) => [record.model, record]));
      const found = new Map<string, ModelAvailability>();
      // Models never probed come last, so that they do not hold up the others.
      const rank = (model: string) => (model === AUTO_MODEL || lastKnown.has(model) ? 0 : 1);
      const inTurn = new Set(models.toSorted((a, b) => rank(a) - rank(b)));
      await eachWithin(waitMs, inTurn, async (model) => {
        try {
          found.set(model, await availabilityOf(projectId, model, purpose));
        } catch (error) {
          logger.warn({ err: error, projectId, model }, 'could not look at a model');
        }
      });
      for (const model of inTurn) {
        const record = lastKnown.get(model);
        if (record === undefined || found.has(model) || TOLD_AT_ONCE.includes(record.reason)) continue;
        found.set(model, asAvailability(model, record, purpose));
      }
      return [...found.values()];
    },
    getSettings: async (projectId) => withState(projectId, await settings.get(projectId)),
    async changeSettings(projectId, change, doer) {
      const { defaultModel } = change;
      if (defaultModel != null) {
        await refuseUnknown(projectId, defaultModel);
        // The check is scheduled before the setting is stored: checking a model that is not the default does no harm.
        await lookSoon(projectId, defaultModel);
      }
      const changed = await deps.database.withTransaction(async (tx) => {
        const before = await settings.get(projectId, tx);
        const after = await settings.change(projectId, change, clock.now(), tx);
        await deps.audit.record(tx, doer, { projectId, ...SETTINGS_CHANGED }, { before, after });
        return after;
      });
      choice.forget(projectId);
      return await withState(projectId, changed);
    },
  };

  async function withState(projectId: string, stored: ModelSettings): Promise<ModelSettingsView> {
    const { defaultModel } = stored;
    if (defaultModel === null) return { ...stored, defaultModelState: null };
    const known = await capabilities.find(projectId, defaultModel);
    if (known !== undefined) {
      const { available, reason, checkedAt } = known;
      return { ...stored, defaultModelState: { status: available ? 'available' : 'unavailable', reason, checkedAt } };
    }
    // The record was forgotten after a time without use, so a new check is scheduled.
    await lookSoon(projectId, defaultModel);
    return { ...stored, defaultModelState: { status: 'checking', reason: null, checkedAt: null } };
  }

  /** Refuses a model by known facts only: no provider is asked while a caller waits. */
  async function refuseUnknown(projectId: string, model: string): Promise<void> {
    const found = await lookFor(endpoints, projectId, model);
    if (found === 'provider_not_found') throw invalidDefault('names no provider of the project');
    const known = await capabilities.find(projectId, model);
    if (typeof found === 'string' || known?.reason !== 'model_not_found') return;
    if (isFresh(known, fingerprintOf(found), clock.now())) throw invalidDefault('is unknown to its provider');
  }
}

function invalidDefault(message: string): AppError {
  const path = 'body.defaultModel';
  return new AppError('VALIDATION_FAILED', `${path}: ${message}`, { details: [{ path, message }] });
}

/** Checks models, some at a time, until the time is over; then no further check begins. */
async function eachWithin(
  waitMs: number,
  models: Iterable<string>,
  look: (model: string) => Promise<void>,
): Promise<void> {
  const over = new AbortController();
  const left = Iterator.from(models);
  const lookAtLeft = async () => {
    for (let next = left.next(); next.done !== true && !over.signal.aborted; next = left.next()) await look(next.value);
  };
  const all = Promise.all(Array.from({ length: MAX_LOOKED_AT_ONCE }, lookAtLeft));
  await Promise.race([all, sleep(waitMs, undefined, { signal: over.signal }).catch(() => undefined)]);
  over.abort();
}

function asAvailability(model: string, record: CapabilityRecord, purpose: ModelPurpose): ModelAvailability {
  const { model: resolvedModel, available, reason, capabilities, checkedAt } = record;
  const known = { model, resolvedModel, capabilities, checkedAt };
  if (purpose !== 'embedding') return { ...known, available, reason };
  // Reasons against chatting are no reasons against embedding.
  if (embeds(record)) return { ...known, available: true, reason: null };
  return { ...known, available: false, reason: OF_CHAT.has(reason) ? 'no_embeddings' : reason };
}

/** Reasons that concern only chatting, and say nothing about embedding. */
const OF_CHAT: ReadonlySet<UnavailableReason | null> = new Set([null, 'no_chat', 'no_json_mode']);
