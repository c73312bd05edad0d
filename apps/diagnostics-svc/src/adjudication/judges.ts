import {
  AUTO_MODEL,
  getModelAvailabilitiesInternally,
  type ModelCapabilities,
  type RuleConfiguration,
} from '@clew/contracts';
import type { ServiceClient } from '@clew/http';
import { accuracyOf } from './adjudication.ts';

/** Model that can be asked now. */
export interface Judge {
  /** Name of the model itself, never an alias such as `service/auto`. */
  model: string;
  capabilities: Pick<ModelCapabilities, 'jsonMode' | 'jsonSchema' | 'contextLength'> | null;
  accuracy: number;
}

/** `unknown` means that the model is still being probed. */
export type JudgeOrNot = Judge | 'unavailable' | 'unknown';

/** Finds models that can judge; throws UPSTREAM_UNAVAILABLE while the Model Runtime cannot be asked. */
export interface Judges {
  /** Finds models by name; every name has an entry. */
  find(projectId: string, models: readonly string[]): Promise<ReadonlyMap<string, JudgeOrNot>>;
}

/** Wait in milliseconds for a model that was never probed, short enough not to hold up other models. */
const WAIT_MS = 10_000;

/**
 * Model for `auto` mode: the one that the project names, used as it is, or else the choice among those that can judge.
 */
export function judgeNamedBy({ adjudicationMode, adjudicationModel }: RuleConfiguration): string | undefined {
  return adjudicationMode === 'auto' ? (adjudicationModel ?? AUTO_MODEL) : undefined;
}

export function createJudges(modelRuntime: ServiceClient): Judges {
  return {
    async find(projectId, models) {
      const found = new Map<string, JudgeOrNot>(models.map((model) => [model, 'unknown']));
      if (models.length === 0) return found;
      const { availabilities } = await modelRuntime.call(getModelAvailabilitiesInternally, {
        params: { projectId },
        body: { models: [...models], purpose: 'judgement', waitMs: WAIT_MS },
      });
      for (const { model, available, resolvedModel, capabilities } of availabilities) {
        const judge = {
          model: resolvedModel ?? model,
          capabilities: capabilities && askedCapabilities(capabilities),
          accuracy: accuracyOf(capabilities?.judgementScore),
        };
        found.set(model, available && resolvedModel !== null ? judge : 'unavailable');
      }
      return found;
    },
  };
}

/** Those of a model's abilities that a command names. */
function askedCapabilities({ jsonMode, jsonSchema, contextLength }: ModelCapabilities): Judge['capabilities'] {
  return { jsonMode, jsonSchema, contextLength };
}
