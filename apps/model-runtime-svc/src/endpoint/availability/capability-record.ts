import type { ModelCapabilities, UnavailableReason } from '@clew/contracts';

/** What is known of a model of a project. */
export interface CapabilityRecord {
  projectId: string;
  model: string;
  available: boolean;
  reason: UnavailableReason | null;
  capabilities: ModelCapabilities | null;
  /** When the capabilities were probed; null where only the endpoint was looked for. */
  checkedAt: number | null;
  /** What they were probed on: another address or key asks for another look. */
  fingerprint: string | null;
  /** Grows with every change of `available` or `reason`. */
  revision: number;
  askedAt: number;
}

/** A look found nothing that could be called. */
export const WITHOUT_ENDPOINT: readonly (UnavailableReason | null)[] = ['provider_not_found', 'service_not_running'];

/** Whether texts can be embedded by it now, whatever else it can do. */
export function embeds({ capabilities, reason }: CapabilityRecord): boolean {
  return capabilities?.embeddings === true && !WITHOUT_ENDPOINT.includes(reason);
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A look at the endpoint costs nothing; what was probed is kept for longer. */
export const LOOK_AGAIN_MS = MINUTE_MS;

/** What passes by itself is looked at again soon, what somebody must mend a little later. */
const MAX_AGE_MS: Partial<Record<UnavailableReason, number>> = {
  provider_unreachable: MINUTE_MS / 2,
  credentials_refused: 10 * MINUTE_MS,
  model_not_found: 10 * MINUTE_MS,
  no_chat: 6 * HOUR_MS,
};
const DEFAULT_MAX_AGE_MS = 24 * HOUR_MS;

/** Whether what was probed still holds. */
export function isFresh(record: CapabilityRecord, fingerprint: string, nowMs: number): boolean {
  if (record.checkedAt === null || record.fingerprint !== fingerprint) return false;
  const maxAgeMs = (record.reason === null ? undefined : MAX_AGE_MS[record.reason]) ?? DEFAULT_MAX_AGE_MS;
  return nowMs - record.checkedAt < maxAgeMs;
}

/** Models that can judge before those that cannot, then by what they can do; equals by name, so that the choice stays. */
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
