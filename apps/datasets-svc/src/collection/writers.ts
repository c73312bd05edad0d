import { AUTO_MODEL, getModelAvailabilitiesInternally, type ModelCapabilities } from '@clew/contracts';
import type { ServiceClient } from '@clew/http';

/** Model that can be asked now. */
export interface Writer {
  /** Name of the model itself, never an alias such as `service/auto`. */
  model: string;
  capabilities: Pick<ModelCapabilities, 'jsonMode' | 'jsonSchema' | 'contextLength'> | null;
}

/** `unknown` means that the model is still being probed. */
export type WriterOrNot = Writer | 'unavailable' | 'unknown';

/** Wait in milliseconds for a model that was never probed, short enough not to hold up other models. */
const WAIT_MS = 10_000;

/**
 * Finds the models that write for Datasets, by the names in their policies; every name has an entry. One that is named
 * is taken as it is, the default must be able to judge.
 */
export async function findWriters(
  modelRuntime: ServiceClient,
  projectId: string,
  names: readonly (string | undefined)[],
): Promise<ReadonlyMap<string, WriterOrNot>> {
  const models = [...new Set(names.map((name) => name ?? AUTO_MODEL))];
  const found = new Map<string, WriterOrNot>(models.map((model) => [model, 'unknown']));
  if (models.length === 0) return found;
  const { availabilities } = await modelRuntime.call(getModelAvailabilitiesInternally, {
    params: { projectId },
    body: { models, purpose: 'judgement', waitMs: WAIT_MS },
  });
  for (const { model, available, resolvedModel, capabilities } of availabilities) {
    const isThere = available && resolvedModel !== null;
    found.set(
      model,
      isThere ? { model: resolvedModel, capabilities: capabilities && shown(capabilities) } : 'unavailable',
    );
  }
  return found;
}

function shown({ jsonMode, jsonSchema, contextLength }: ModelCapabilities) {
  return { jsonMode, jsonSchema, contextLength };
}

/** Model that writes for a policy that names `model`, or none. */
export function writerOf(writers: ReadonlyMap<string, WriterOrNot>, model: string | undefined): WriterOrNot {
  return writers.get(model ?? AUTO_MODEL) ?? 'unknown';
}
