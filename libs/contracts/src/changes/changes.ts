import { z } from 'zod';
import type { Permission, Scope } from '../access.ts';
import { EpochMs, ProjectParams } from '../common/primitives.ts';
import { getDataset } from '../datasets/datasets.ts';
import { getConnector } from '../diagnostics/connectors.ts';
import { getConversationDiagnosis } from '../diagnostics/diagnoses.ts';
import { getFinding } from '../diagnostics/findings.ts';
import { getRuleBackfill } from '../diagnostics/rule-backfills.ts';
import { getRule } from '../diagnostics/rules.ts';
import { getDiagnosticSettings } from '../diagnostics/settings.ts';
import { getWorkItem } from '../diagnostics/work-items.ts';
import { listApiKeys } from '../identity/api-keys.ts';
import { getKnowledgeBackfill } from '../knowledge/backfills.ts';
import { getGoal } from '../knowledge/goals.ts';
import { getItem } from '../knowledge/items.ts';
import { getKnowledgeSettings } from '../knowledge/settings.ts';
import { getModelAvailability, getModelSettings } from '../models/availability.ts';
import { getProvider } from '../models/providers.ts';
import { getQuotas } from '../quotas/quotas.ts';
import { defineRoute, streamed, type RouteSpec } from '../route.ts';
import { getConversation } from '../telemetry/conversations.ts';
import { getErasure } from '../telemetry/erasures.ts';
import { getTelemetrySettings } from '../telemetry/settings.ts';
import { getWebhook } from '../webhooks/webhooks.ts';

/** Types of things whose changes a project's listeners hear of. */
export const CHANGE_TYPES = [
  'conversation',
  'diagnosis',
  'finding',
  'workItem',
  'rule',
  'ruleBackfill',
  'connector',
  'webhook',
  'diagnosticSettings',
  'knowledgeItem',
  'goal',
  'knowledgeBackfill',
  'knowledgeSettings',
  'dataset',
  'model',
  'modelProvider',
  'modelSettings',
  'erasure',
  'telemetrySettings',
  'apiKey',
  'quotas',
] as const;
export type ChangeType = (typeof CHANGE_TYPES)[number];

/** Route that reads each type of thing. Who may not call it does not hear of changes of that type either. */
export const CHANGE_READERS = {
  conversation: getConversation,
  diagnosis: getConversationDiagnosis,
  finding: getFinding,
  workItem: getWorkItem,
  rule: getRule,
  ruleBackfill: getRuleBackfill,
  connector: getConnector,
  webhook: getWebhook,
  diagnosticSettings: getDiagnosticSettings,
  knowledgeItem: getItem,
  goal: getGoal,
  knowledgeBackfill: getKnowledgeBackfill,
  knowledgeSettings: getKnowledgeSettings,
  dataset: getDataset,
  model: getModelAvailability,
  modelProvider: getProvider,
  modelSettings: getModelSettings,
  erasure: getErasure,
  telemetrySettings: getTelemetrySettings,
  apiKey: listApiKeys,
  quotas: getQuotas,
} as const satisfies Record<ChangeType, RouteSpec>;

/** Name of a thing that has changed, and the time; what it is now is read by its own route. */
export const Change = z.object({
  type: z.enum(CHANGE_TYPES),
  id: z.string().nullable().meta({ description: 'Null: many things of this type, all of which are to be read again' }),
  at: EpochMs,
});
export type Change = z.infer<typeof Change>;

/** Event of the stream: a change, or word that what was read before may be out of date. */
export const ChangeEvent = z
  .union([
    Change,
    z.object({
      type: z.literal('ready').meta({
        description:
          'First event; comes again when changes may have been missed: whatever is shown is to be read again',
      }),
      id: z.null(),
      at: EpochMs,
    }),
  ])
  .meta({ id: 'ChangeEvent' });
export type ChangeEvent = z.infer<typeof ChangeEvent>;

const READS = Object.values<RouteSpec>(CHANGE_READERS).map(({ access }) => access);

function anyOf<Right extends Scope | Permission>(rightsOf: (access: RouteSpec['access']) => readonly Right[]): Right[] {
  return [...new Set(READS.flatMap(rightsOf))];
}

export const listenToChanges = defineRoute({
  operationId: 'listenToChanges',
  sdk: 'events.listen',
  service: 'gateway',
  method: 'get',
  path: '/v1/projects/:projectId/events',
  tag: 'Changes',
  summary: 'Hear which things of a project change, as server-sent events',
  description:
    'Each event says what has changed, at most once a second for each thing, and only of types that the caller may ' +
    'read: a caller without the right to read Findings hears of none. A Dataset stands for its Examples and versions, ' +
    'too. The first event is `ready`. Nothing is sent again after a reconnection; therefore, after each `ready`, ' +
    'whatever is shown is to be read again. A comment line comes every 15 to 20 seconds. The stream ends when the ' +
    'caller loses access to the project or the server stops.',
  access: {
    kind: 'caller',
    scopes: anyOf((access) => (access.kind === 'caller' ? access.scopes : [])),
    permissions: anyOf((access) => (access.kind === 'caller' ? access.permissions : [])),
  },
  params: ProjectParams,
  responses: { 200: streamed({ 'text/event-stream': ChangeEvent }) },
});
