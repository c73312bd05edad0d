import type { Api } from '@clew/sdk';

export type Scope = Api.ApiKey['scopes'][number];

interface ScopeFacts {
  /** Rights of a key with it, in plain words. */
  readonly meaning: string;
  readonly hint?: string;
}

/** Meaning of each scope of a key. */
export const SCOPES = {
  'telemetry:write': {
    meaning: 'Send conversations',
    hint: 'OpenTelemetry and imports. It reads nothing: fit for programs in production.',
  },
  'gateway:invoke': { meaning: 'Call models', hint: 'Chat, embeddings and transcriptions, which use tokens.' },
  'diagnostics:read': { meaning: 'Read Findings and conversations', hint: 'Also Rules, Expectations and work items.' },
  'diagnostics:write': {
    meaning: 'Change Findings',
    hint: 'Review, hand over, switch Rules, connect trackers and webhooks.',
  },
  'workspace:read': { meaning: 'Read Knowledge, Datasets and settings' },
  'workspace:write': { meaning: 'Change Knowledge, Datasets and settings', hint: 'Also erase conversations.' },
  'project:data:write': { meaning: 'Write Examples and import conversations' },
  'models:manage': { meaning: 'Manage models and providers' },
  'workspace:admin': {
    meaning: 'Administer',
    hint: 'Members, keys and the audit: whoever has it can give themselves everything else.',
  },
} as const satisfies Readonly<Record<Scope, ScopeFacts>>;

export const SCOPE_IDS = Object.keys(SCOPES) as Scope[];

export function scopeFacts(scope: Scope): ScopeFacts {
  return SCOPES[scope];
}

/** Kinds of keys that are wanted most, each with the least scopes that do. */
export const PRESETS = [
  { id: 'send', label: 'A program that sends conversations', scopes: ['telemetry:write'] },
  { id: 'call', label: 'A program that calls models through Clew', scopes: ['gateway:invoke'] },
  { id: 'read', label: 'A script that reads Findings', scopes: ['diagnostics:read'] },
  {
    id: 'review',
    label: 'Somebody at the command line',
    scopes: ['diagnostics:read', 'diagnostics:write', 'workspace:read', 'workspace:write', 'project:data:write'],
  },
] as const satisfies readonly { id: string; label: string; scopes: readonly Scope[] }[];

/** Preset with exactly these scopes. */
export function presetOf(scopes: readonly Scope[]): string | undefined {
  return PRESETS.find(
    (preset) => preset.scopes.length === scopes.length && preset.scopes.every((scope) => scopes.includes(scope)),
  )?.id;
}

const DAY_MS = 86_400_000;

/** Lives of a key that can be chosen, in days. */
export const LIVES = [30, 90, 365] as const;

/** End of a key that lives so many days; null for one without an end. */
export function endOf(days: string, nowMs: number): number | null {
  const number = Number(days);
  return Number.isFinite(number) && number > 0 ? nowMs + number * DAY_MS : null;
}

/** Lines that use a key for what its scopes are for. */
export function snippetOf(scopes: readonly Scope[], base: string, secret: string, projectId: string): string {
  const root = base.replace(/\/$/, '');
  if (scopes.includes('telemetry:write')) {
    return `OTEL_EXPORTER_OTLP_ENDPOINT=${root}\nOTEL_EXPORTER_OTLP_HEADERS="authorization=Bearer ${secret}"`;
  }
  if (scopes.includes('gateway:invoke')) return `OPENAI_BASE_URL=${root}/v1\nOPENAI_API_KEY=${secret}`;
  const path = scopes.includes('diagnostics:read') ? `/v1/projects/${projectId}/diagnostics/findings` : '/v1/me';
  return `curl -H "Authorization: Bearer ${secret}" \\\n  ${root}${path}`;
}
