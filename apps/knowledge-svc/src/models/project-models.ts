import {
  AUTO_MODEL,
  getModelAvailabilitiesInternally,
  MAX_MODELS_ASKED,
  type ModelAvailability,
  type ModelCapabilities,
  UNAVAILABLE_TEXTS,
  type UnavailableReason,
} from '@clew/contracts';
import type { ServiceClient } from '@clew/http';
import type { Logger } from '@clew/runtime';

/** State of a model that a goal names. */
export type ModelState =
  | { kind: 'available'; model: string; capabilities: ExtractionCapabilities | null }
  /** `isForGood`: the model does not exist, or lacks an ability that extraction needs. */
  | { kind: 'unavailable'; reason: string; isForGood: boolean }
  /** The model is still being probed. */
  | { kind: 'unknown' };

export type ExtractionCapabilities = Pick<ModelCapabilities, 'jsonMode' | 'jsonSchema' | 'contextLength' | 'judgement'>;

/** Models that projects can use now, as the model runtime reports them. */
export interface ProjectModels {
  /**
   * Finds models by name; every name has an entry. Throws UPSTREAM_UNAVAILABLE while the model runtime cannot be asked.
   */
  find(projectId: string, models: readonly string[], waitMs?: number): Promise<ReadonlyMap<string, ModelState>>;
  /** Reasons why models cannot be used, by the names of those that cannot; never throws. */
  blockedReasons(projectId: string, models: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Model that embeds the project's texts; null if there is none or the model runtime cannot be asked. Never throws.
   */
  embeddingModel(projectId: string, waitMs?: number): Promise<string | null>;
}

/** Wait in milliseconds for a model that was never probed; a probe takes some calls to its provider. */
const WAIT_MS = 5_000;
/** Wait in milliseconds of a read: a slow probe reports its result to the next read. */
const READ_WAIT_MS = 1_000;

/** Reasons that mean the name is wrong, not that the model is away for a time. */
const FOR_GOOD: ReadonlySet<UnavailableReason | null> = new Set([
  'provider_not_found',
  'model_not_found',
  'no_chat',
  'no_json_mode',
]);

export function createProjectModels(modelRuntime: ServiceClient, logger: Logger): ProjectModels {
  async function find(projectId: string, models: readonly string[], waitMs = WAIT_MS) {
    const found = new Map<string, ModelState>(models.map((model) => [model, { kind: 'unknown' }]));
    const wanted = [...found.keys()].slice(0, MAX_MODELS_ASKED);
    if (wanted.length === 0) return found;
    const { availabilities } = await modelRuntime.call(getModelAvailabilitiesInternally, {
      params: { projectId },
      body: { models: wanted, waitMs },
    });
    for (const availability of availabilities) found.set(availability.model, stateOf(availability));
    return found;
  }

  return {
    find,
    async embeddingModel(projectId, waitMs = WAIT_MS) {
      try {
        const { availabilities } = await modelRuntime.call(getModelAvailabilitiesInternally, {
          params: { projectId },
          body: { models: [AUTO_MODEL], purpose: 'embedding', waitMs },
        });
        return availabilities.find(({ available }) => available)?.resolvedModel ?? null;
      } catch (error) {
        logger.warn({ err: error, projectId }, 'could not ask the model runtime for a model that embeds');
        return null;
      }
    },
    async blockedReasons(projectId, models) {
      const wanted = [...new Set(models)];
      try {
        const found = await find(projectId, wanted, READ_WAIT_MS);
        return new Map(
          [...found].flatMap(([model, state]) => (state.kind === 'unavailable' ? [[model, state.reason]] : [])),
        );
      } catch (error) {
        logger.warn({ err: error, projectId }, 'could not ask the model runtime');
        return new Map(
          wanted.map((model) => [model, `The model runtime cannot be asked now about the model ${model}`]),
        );
      }
    },
  };
}

function stateOf({ model, available, reason, resolvedModel, capabilities }: ModelAvailability): ModelState {
  if (available && resolvedModel !== null) return { kind: 'available', model: resolvedModel, capabilities };
  const because = reason === null ? '' : `: ${UNAVAILABLE_TEXTS[reason]}`;
  return {
    kind: 'unavailable',
    reason: `The model ${model} is not available${because}`,
    isForGood: FOR_GOOD.has(reason),
  };
}
