import { createHash } from 'node:crypto';
import type { ModelCategory, UnavailableReason } from '@clew/contracts';
import { AppError, type Clock } from '@clew/kernel';
import { splitModelName, type Endpoints, type LookedModel, type ModelEndpoint } from '../providers/endpoints.ts';
import type { ProviderModels } from '../providers/provider-models.ts';
import type { AskModel } from './ask-model.ts';
import type { CapabilityStore } from './capabilities.store.ts';
import { isFresh, WITHOUT_ENDPOINT, type CapabilityRecord } from './capability-record.ts';
import { EMBEDS_ONLY, probeModel } from './probe-model.ts';

export interface EvaluateModelDependencies {
  endpoints: Pick<Endpoints, 'look'>;
  providerModels: ProviderModels;
  capabilities: CapabilityStore;
  ask: AskModel;
  clock: Clock;
}

/**
 * Finds out whether a named model is usable: from a fresh record, else by probing it. Neither wakes a local service or
 * counts as use of it.
 */
export type EvaluateModel = (projectId: string, model: string, asked?: boolean) => Promise<CapabilityRecord>;

const CHAT_CATEGORIES: ReadonlySet<ModelCategory> = new Set(['chat', 'vision']);

export function createEvaluateModel(deps: EvaluateModelDependencies): EvaluateModel {
  const { capabilities, clock } = deps;
  const underWay = new Map<string, Promise<CapabilityRecord>>();

  async function evaluate(projectId: string, model: string, asked: boolean): Promise<CapabilityRecord> {
    const known = await capabilities.find(projectId, model);
    const now = clock.now();
    const base: CapabilityRecord = {
      ...{ projectId, model, capabilities: null, checkedAt: null, fingerprint: null },
      revision: 0,
      ...known,
      available: false,
      reason: null,
      askedAt: asked ? now : (known?.askedAt ?? now),
    };
    const found = await lookFor(deps.endpoints, projectId, model);
    const record = typeof found === 'string' ? { ...base, reason: found } : await judged(base, known, found);
    if (known === undefined || isWorthSaving(known, record)) await capabilities.save(record);
    return record;
  }

  async function judged(
    base: CapabilityRecord,
    known: CapabilityRecord | undefined,
    found: LookedModel,
  ): Promise<CapabilityRecord> {
    const { endpoint } = found;
    const fingerprint = fingerprintOf(found);
    // The reason from a look-up without an endpoint says nothing about the model itself.
    const probed = known === undefined ? undefined : { ...known, reason: reasonOf(known) };
    if (probed !== undefined && isFresh(probed, fingerprint, clock.now())) {
      return { ...base, available: probed.reason === null, reason: probed.reason };
    }
    if (endpoint === undefined) return asleep(base, probed, found);
    const contextLength = found.contextLength ?? (await listedContextLength(base.projectId, endpoint));
    const { capabilities: seen, reason } = await found.whileProbed(() =>
      probeModel(deps.ask, base.projectId, endpoint, { contextLength, category: found.category }),
    );
    const checkedAt = clock.now();
    return { ...base, available: reason === null, reason, capabilities: seen, checkedAt, fingerprint };
  }

  /**
   * State of a sleeping service, which is not woken for a check. Its last probe is valid; before the first one, it can
   * do what its engine can.
   */
  function asleep(base: CapabilityRecord, probed: CapabilityRecord | undefined, found: LookedModel): CapabilityRecord {
    if (probed?.checkedAt != null && probed.fingerprint === fingerprintOf(found)) {
      return { ...base, available: probed.reason === null, reason: probed.reason };
    }
    const unseen = { ...base, capabilities: null, checkedAt: null, fingerprint: null };
    if (found.category !== undefined && CHAT_CATEGORIES.has(found.category)) return { ...unseen, available: true };
    const capabilities = found.category === 'embedding' ? EMBEDS_ONLY : null;
    return { ...unseen, capabilities, reason: 'no_chat' };
  }

  async function listedContextLength(projectId: string, { provider, model }: ModelEndpoint): Promise<number | null> {
    const { models } = await deps.providerModels.recent(projectId, provider);
    return models.find(({ id }) => id === model)?.contextLength ?? null;
  }

  return (projectId, model, asked = true) => {
    const key = `${projectId}:${model}`;
    const started =
      underWay.get(key) ??
      evaluate(projectId, model, asked).finally(() => {
        underWay.delete(key);
      });
    underWay.set(key, started);
    return started;
  };
}

/** Finds the endpoint of a model, or the reason why there is none; asks no provider. */
export async function lookFor(
  endpoints: Pick<Endpoints, 'look'>,
  projectId: string,
  model: string,
): Promise<LookedModel | UnavailableReason> {
  try {
    return await endpoints.look(projectId, model);
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    return splitModelName(model)[0] === 'self' ? 'service_not_running' : 'provider_not_found';
  }
}

/** Minimum interval between two writes of the time at which the model was asked for. */
const NOTE_ASKED_EVERY_MS = 3_600_000;

function isWorthSaving(known: CapabilityRecord, record: CapabilityRecord): boolean {
  const isSame =
    known.available === record.available && known.reason === record.reason && known.checkedAt === record.checkedAt;
  return !isSame || record.askedAt - known.askedAt > NOTE_ASKED_EVERY_MS;
}

/** Reason from the last probe, even if the endpoint has been away since. */
function reasonOf({ reason, capabilities }: CapabilityRecord): UnavailableReason | null {
  if (!WITHOUT_ENDPOINT.includes(reason)) return reason;
  if (capabilities === null) return 'provider_unreachable';
  if (!capabilities.chat) return 'no_chat';
  return capabilities.jsonMode ? null : 'no_json_mode';
}

/** Fingerprint of everything that a probe depends on: another address or key needs another probe. */
export function fingerprintOf({ identity }: LookedModel): string {
  return createHash('sha256').update(identity).digest('base64url').slice(0, 22);
}
