import { AUTO_MODEL, type ModelAvailability, type ModelPurpose, type ModelSettings } from '@clew/contracts';
import { AppError, type Clock } from '@clew/kernel';
import type { Logger } from '@clew/runtime';
import type { CapabilityStore } from './capabilities.store.ts';
import type { CapabilityRecord } from './capability-record.ts';
import type { ModelChoice } from './choose-model.ts';
import type { EvaluateModel } from './evaluate-model.ts';
import type { ModelSettingsStore } from './settings.store.ts';

export interface AvailabilityDependencies {
  settings: ModelSettingsStore;
  capabilities: CapabilityStore;
  choice: ModelChoice;
  evaluate: EvaluateModel;
  clock: Clock;
  logger: Logger;
}

export interface AvailabilityService {
  availabilityOf(projectId: string, model: string, purpose: ModelPurpose): Promise<ModelAvailability>;
  getSettings(projectId: string): Promise<ModelSettings>;
  changeSettings(projectId: string, change: Partial<ModelSettings>): Promise<ModelSettings>;
  /** A provider was made, changed or removed: what is known of its models is looked at anew. */
  providerChanged(projectId: string, provider: string): void;
  /** Looks at records that are due. */
  lookAgain(limit: number): Promise<number>;
}

/** What nobody has asked for in so long is not looked at any more. */
const FORGOTTEN_AFTER_MS = 7 * 24 * 3_600_000;
const UNKNOWN = new Set(['provider_not_found', 'model_not_found']);

export function createAvailabilityService(deps: AvailabilityDependencies): AvailabilityService {
  const { settings, capabilities, choice, evaluate, clock, logger } = deps;

  async function lookAgainAt(records: readonly CapabilityRecord[]): Promise<void> {
    for (const { projectId, model, askedAt } of records) {
      if (clock.now() - askedAt > FORGOTTEN_AFTER_MS) await capabilities.remove(projectId, model);
      else await evaluate(projectId, model, false);
    }
  }

  return {
    async availabilityOf(projectId, model, purpose) {
      const resolvedModel = model === AUTO_MODEL ? await choice.choose(projectId, purpose) : model;
      if (resolvedModel === undefined) {
        const reason = purpose === 'judgement' ? 'judgement_not_passed' : 'no_suitable_model';
        return { model, available: false, reason, resolvedModel: null, capabilities: null, checkedAt: null };
      }
      const { available, reason, capabilities: found, checkedAt } = await evaluate(projectId, resolvedModel);
      return { model, available, reason, resolvedModel, capabilities: found, checkedAt };
    },
    getSettings: (projectId) => settings.get(projectId),
    async changeSettings(projectId, change) {
      if (change.defaultModel != null) await requireKnown(projectId, change.defaultModel);
      const changed = await settings.change(projectId, change, clock.now());
      choice.forget(projectId);
      return changed;
    },
    providerChanged(projectId, provider) {
      choice.forget(projectId);
      capabilities
        .list(projectId, `${provider}/`)
        .then(lookAgainAt)
        .catch((error: unknown) => logger.warn({ err: error, projectId }, 'could not look at models again'));
    },
    async lookAgain(limit) {
      const due = await capabilities.due(clock.now(), limit);
      await lookAgainAt(due);
      return due.length;
    },
  };

  async function requireKnown(projectId: string, model: string): Promise<void> {
    const { reason } = await evaluate(projectId, model);
    if (reason === null || !UNKNOWN.has(reason)) return;
    const message = reason === 'provider_not_found' ? 'names no provider of the project' : 'is unknown to its provider';
    const details = [{ path: 'body.defaultModel', message }];
    throw new AppError('VALIDATION_FAILED', `body.defaultModel: ${message}`, { details });
  }
}
