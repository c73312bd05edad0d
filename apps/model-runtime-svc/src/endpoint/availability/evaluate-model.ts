import { createHash } from 'node:crypto';
import type { UnavailableReason } from '@clew/contracts';
import { AppError, type Clock } from '@clew/kernel';
import { splitModelName, type Endpoints, type ModelEndpoint } from '../providers/endpoints.ts';
import type { ProviderModels } from '../providers/provider-models.ts';
import type { AskModel } from './ask-model.ts';
import type { CapabilityStore } from './capabilities.store.ts';
import { isFresh, type CapabilityRecord } from './capability-record.ts';
import { probeModel } from './probe-model.ts';

export interface EvaluateModelDependencies {
  endpoints: Pick<Endpoints, 'find'>;
  providerModels: ProviderModels;
  capabilities: CapabilityStore;
  ask: AskModel;
  clock: Clock;
}

/** Whether a model that is named can be used: from what is known while it is fresh, else by probing it. */
export type EvaluateModel = (projectId: string, model: string, asked?: boolean) => Promise<CapabilityRecord>;

/** A look at the endpoint costs nothing; what was probed is kept for longer. */
const LOOK_AGAIN_MS = 60_000;

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
      dueAt: now + LOOK_AGAIN_MS,
    };
    const endpoint = await findEndpoint(deps.endpoints, projectId, model);
    const record = typeof endpoint === 'string' ? { ...base, reason: endpoint } : await look(base, known, endpoint);
    if (known === undefined || isWorthSaving(known, record)) await capabilities.save(record);
    return record;
  }

  async function look(
    base: CapabilityRecord,
    known: CapabilityRecord | undefined,
    endpoint: ModelEndpoint,
  ): Promise<CapabilityRecord> {
    const fingerprint = fingerprintOf(endpoint);
    // The reason of a look that found no endpoint says nothing of the model.
    const probed = known === undefined ? undefined : { ...known, reason: reasonOf(known) };
    if (probed !== undefined && isFresh(probed, fingerprint, clock.now())) {
      return { ...base, available: probed.reason === null, reason: probed.reason };
    }
    const contextLength = await contextLengthOf(base.projectId, endpoint);
    const { capabilities: found, reason } = await probeModel(deps.ask, base.projectId, endpoint, contextLength);
    const checkedAt = clock.now();
    return { ...base, available: reason === null, reason, capabilities: found, checkedAt, fingerprint };
  }

  async function contextLengthOf(projectId: string, { provider, model }: ModelEndpoint): Promise<number | null> {
    if (provider === 'self') return null;
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

async function findEndpoint(
  endpoints: Pick<Endpoints, 'find'>,
  projectId: string,
  model: string,
): Promise<ModelEndpoint | UnavailableReason> {
  try {
    return await endpoints.find(projectId, model, 'general');
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    return splitModelName(model)[0] === 'self' ? 'service_not_running' : 'provider_not_found';
  }
}

/** That somebody has asked again is noted once in a while. */
const NOTE_ASKED_EVERY_MS = 3_600_000;

function isWorthSaving(known: CapabilityRecord, record: CapabilityRecord): boolean {
  const isSame =
    known.available === record.available && known.reason === record.reason && known.checkedAt === record.checkedAt;
  const wasDue = known.dueAt <= record.dueAt - LOOK_AGAIN_MS;
  return !isSame || wasDue || record.askedAt - known.askedAt > NOTE_ASKED_EVERY_MS;
}

const WITHOUT_ENDPOINT: readonly (UnavailableReason | null)[] = ['provider_not_found', 'service_not_running'];

/** What was last probed, also where the endpoint was away since. */
function reasonOf({ reason, capabilities }: CapabilityRecord): UnavailableReason | null {
  if (!WITHOUT_ENDPOINT.includes(reason)) return reason;
  if (capabilities === null) return 'provider_unreachable';
  return capabilities.jsonMode ? null : 'no_json_mode';
}

function fingerprintOf({ baseUrl, headers }: ModelEndpoint): string {
  return createHash('sha256')
    .update(JSON.stringify([baseUrl, headers]))
    .digest('base64url')
    .slice(0, 22);
}
