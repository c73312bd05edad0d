import type { ModelCapabilities, UnavailableReason } from '@clew/contracts';

/** Known facts about a model of a project. */
export interface CapabilityRecord {
  projectId: string;
  model: string;
  available: boolean;
  reason: UnavailableReason | null;
  capabilities: ModelCapabilities | null;
  /** Time of the probe, in Unix epoch milliseconds; null if only the endpoint was looked up. */
  checkedAt: number | null;
  /** Fingerprint of the probed endpoint: another address or key needs another probe. */
  fingerprint: string | null;
  /** Number that grows with every change of `available` or `reason`. */
  revision: number;
  askedAt: number;
}

/** Reasons that mean that there was no endpoint to call. */
export const WITHOUT_ENDPOINT: readonly (UnavailableReason | null)[] = ['provider_not_found', 'service_not_running'];

/** Whether the model can embed texts now, regardless of its other capabilities. */
export function embeds({ capabilities, reason }: CapabilityRecord): boolean {
  return capabilities?.embeddings === true && !WITHOUT_ENDPOINT.includes(reason);
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Interval between checks. A look-up of the endpoint costs nothing; results of probes are kept for longer. */
export const LOOK_AGAIN_MS = MINUTE_MS;

/**
 * Maximum age of a probe's result by reason: failures that may pass are probed again soon, those that a person must fix
 * a little later.
 */
const MAX_AGE_MS: Partial<Record<UnavailableReason, number>> = {
  provider_unreachable: MINUTE_MS / 2,
  credentials_refused: 10 * MINUTE_MS,
  model_not_found: 10 * MINUTE_MS,
  no_chat: 6 * HOUR_MS,
};
const DEFAULT_MAX_AGE_MS = 24 * HOUR_MS;

/** Whether the result of a probe is still valid. */
export function isFresh(record: CapabilityRecord, fingerprint: string, nowMs: number): boolean {
  if (record.checkedAt === null || record.fingerprint !== fingerprint) return false;
  const maxAgeMs = (record.reason === null ? undefined : MAX_AGE_MS[record.reason]) ?? DEFAULT_MAX_AGE_MS;
  return nowMs - record.checkedAt < maxAgeMs;
}

/**
 * Order of models: those that can judge first, then by capabilities; equal ones by name, so that the choice is stable.
 */
export function byMerit(a: CapabilityRecord, b: CapabilityRecord): number {
  return (
    meritOf(b) - meritOf(a) ||
    (b.capabilities?.contextLength ?? 0) - (a.capabilities?.contextLength ?? 0) ||
    (a.model < b.model ? -1 : 1)
  );
}

function meritOf({ capabilities }: CapabilityRecord): number {
  if (capabilities === null) return 0;
  const { judgement, judgementScore, jsonSchema, tools } = capabilities;
  return (judgement ? 100 : 0) + 10 * judgementScore + (jsonSchema ? 5 : 0) + (tools ? 2 : 0);
}
