import {
  AUTO_MODEL,
  getModelAvailabilitiesInternally,
  type ModelCapabilities,
  type RuleConfiguration,
} from '@clew/contracts';
import type { ServiceClient } from '@clew/http';
import { accuracyOf } from './adjudication.ts';

/** A model that can be asked just now. */
export interface Judge {
  /** Itself, never a choice of one. */
  model: string;
  capabilities: Pick<ModelCapabilities, 'jsonMode' | 'jsonSchema' | 'contextLength'> | null;
  accuracy: number;
}

/** `unknown`: it is still being looked at. */
export type JudgeOrNot = Judge | 'unavailable' | 'unknown';

/** Finds out which models can judge; throws UPSTREAM_UNAVAILABLE while nobody can be asked. */
export interface Judges {
  /** By name; every name has an entry. */
  find(projectId: string, models: readonly string[]): Promise<ReadonlyMap<string, JudgeOrNot>>;
}

/** A model that was never looked at may take some time; others are not to wait for it. */
const WAIT_MS = 10_000;

/** What `auto` asks: a model that a project names is used as it is, the choice of one is among those that can judge. */
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
          capabilities,
          accuracy: accuracyOf(capabilities?.judgementScore),
        };
        found.set(model, available && resolvedModel !== null ? judge : 'unavailable');
      }
      return found;
    },
  };
}
