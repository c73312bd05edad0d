import type { AuditQuery } from '../queries.ts';
import type { SettingsSearch } from '../settings-search.ts';

/** Areas of deeds, in which the audit can be looked through. */
export const AREAS = [
  'workspace',
  'project',
  'api-key',
  'person',
  'session',
  'invitation',
  'member',
  'reset',
  'one-time-link',
  'device',
  'connector',
  'webhook',
  'model-provider',
  'rule',
  'diagnostics-settings',
  'knowledge-settings',
  'telemetry-settings',
  'model-settings',
  'learning-goal',
  'project-quotas',
  'dataset',
  'erasure',
] as const satisfies readonly NonNullable<AuditQuery['action']>[];

const DAY_MS = 86_400_000;

/** Query of the API for what an address asks for. */
export function auditFilter({ actor, action, target, after, before }: SettingsSearch): AuditQuery {
  const area = AREAS.find((each) => each === action);
  const [from, until] = [dayStart(after), dayStart(before)];
  return {
    ...(actor === undefined ? {} : { actor }),
    ...(area === undefined ? {} : { action: area }),
    ...(target === undefined ? {} : { target }),
    ...(from === undefined ? {} : { after: from }),
    // The last day belongs to what is shown.
    ...(until === undefined ? {} : { before: until + DAY_MS }),
  };
}

function dayStart(day: string | undefined): number | undefined {
  if (day === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined;
  const atMs = new Date(`${day}T00:00:00`).getTime();
  return Number.isNaN(atMs) ? undefined : atMs;
}

/** Deed in words: `api-key.rotated` as `API key rotated`. */
export function actionText(action: string): string {
  const text = action.replace('api-key', 'API key').replaceAll('.', ' ').replaceAll('-', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Entries as a file with one a line. */
export function linesOfEntries(entries: readonly object[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
}
