import type { AuditArea, Change, ChangeType, EnvelopeOf } from '@clew/contracts';
import { allMessages, type EventSpec, type EventType } from '@clew/contracts/all-messages';

/** Thing that has changed. */
export type Changed = Pick<Change, 'type'> & { id: string };

/** Event as it comes from the broker. */
export type Event = EnvelopeOf<EventSpec>;

type Spec<Type extends EventType> = Extract<EventSpec, { readonly type: Type }>;
type Reading<Type extends EventType> = (data: EnvelopeOf<Spec<Type>>['data'], projectId: string) => readonly Changed[];

/** Reason why listeners hear nothing of an event. */
interface Untold {
  untold: string;
}

/** Type of the thing that a deed of each area changes, unless its own event tells of that, or no page shows it. */
const TYPE_OF_DEED: Readonly<Record<AuditArea, ChangeType | null>> = {
  connector: 'connector',
  webhook: 'webhook',
  'model-provider': 'modelProvider',
  rule: 'rule',
  'diagnostics-settings': 'diagnosticSettings',
  'knowledge-settings': 'knowledgeSettings',
  'telemetry-settings': 'telemetrySettings',
  'model-settings': 'modelSettings',
  'learning-goal': 'goal',
  dataset: 'dataset',
  erasure: 'erasure',
  // Deeds of the gateway itself, which it does not publish.
  ...{ workspace: null, project: null, 'api-key': null, person: null, session: null, invitation: null, member: null },
  ...{ reset: null, 'one-time-link': null, device: null, 'project-quotas': null },
};

function areaOf(action: string): AuditArea | undefined {
  const [area = ''] = action.split('.');
  return Object.hasOwn(TYPE_OF_DEED, area) ? (area as AuditArea) : undefined;
}

/** Every event that the contracts declare, with what it says to listeners: a new one must be put here. */
const READINGS: { readonly [Type in EventType]: Reading<Type> | Untold } = {
  'telemetry.spans.received': { untold: 'not stored yet; the conversation is told of when it is ready' },
  'telemetry.privacy.changed': { untold: 'the deed of the change is told of' },
  'telemetry.allowance.changed': { untold: 'for telemetry-ingest; the change of the quotas is told of' },
  'telemetry.conversation.ready': ({ conversations }) =>
    conversations.map(({ conversationId: id }) => ({ type: 'conversation', id })),
  'diagnostics.snapshot.analysed': ({ snapshots }) =>
    snapshots.map(({ conversationId: id }) => ({ type: 'diagnosis', id })),
  'diagnostics.conversation-findings.changed': ({ conversations }) =>
    conversations.map(({ conversationId: id }) => ({ type: 'diagnosis', id })),
  'diagnostics.finding.changed': ({ findings }) => findings.map(({ findingId: id }) => ({ type: 'finding', id })),
  'diagnostics.work-item.changed': ({ workItemId: id }) => [{ type: 'workItem', id }],
  'diagnostics.backfill.ended': ({ backfillId: id }) => [{ type: 'ruleBackfill', id }],
  'diagnostics.models.named': { untold: 'for Model Runtime; the deed of the change is told of' },
  'knowledge.item.changed': ({ items }) => items.map(({ itemId: id }) => ({ type: 'knowledgeItem', id })),
  'knowledge.backfill.ended': ({ backfillId: id }) => [{ type: 'knowledgeBackfill', id }],
  'knowledge.models.named': { untold: 'for Model Runtime; the deed of the change is told of' },
  'datasets.dataset.changed': ({ datasetId: id }) => [{ type: 'dataset', id }],
  'datasets.dataset.deleted': ({ datasetId: id }) => [{ type: 'dataset', id }],
  'datasets.models.named': { untold: 'for Model Runtime; the change of the Dataset is told of' },
  'models.availability.changed': ({ model: id }) => [{ type: 'model', id }],
  'audit.deed.recorded': ({ action, target: { id } }) => {
    const area = areaOf(action);
    const type = area === undefined ? null : TYPE_OF_DEED[area];
    return type === null ? [] : [{ type, id }];
  },
  'gateway.api-key.changed': ({ keyId: id }) => [{ type: 'apiKey', id }],
  'gateway.user.changed': { untold: 'of no project' },
  'gateway.session.changed': { untold: 'of no project' },
  'gateway.quotas.changed': (_, id) => [{ type: 'quotas', id }],
  'gateway.project.deleted': { untold: 'ends the streams of the project' },
};

const isTold = ({ type }: { type: string }) => typeof READINGS[type as EventType] === 'function';

/** Events that listeners hear of. */
export const TOLD_EVENTS = allMessages().filter((spec): spec is EventSpec => spec.kind === 'event' && isTold(spec));

/** Lists the things that an event says have changed. */
export function changesOf({ type, data, projectId }: Pick<Event, 'type' | 'data' | 'projectId'>): readonly Changed[] {
  const reading = READINGS[type as EventType];
  return typeof reading === 'function'
    ? (reading as (data: unknown, projectId: string) => readonly Changed[])(data, projectId)
    : [];
}
