import type {
  ChangedFinding,
  datasetChanged,
  datasetDeleted,
  EnvelopeOf,
  findingChanged,
  FindingEvent,
  knowledgeBackfillEnded,
  knowledgeItemChanged,
  MessageSpec,
  ruleBackfillEnded,
  WebhookEventType,
  workItemChanged,
} from '@clew/contracts';
import { derivedId } from '@clew/kernel';

/** One event that a message tells of. */
export interface ToldEvent {
  messageId: string;
  /** The same for every webhook, so that a receiver of several knows it again. */
  eventId: string;
  projectId: string;
  type: WebhookEventType;
  occurredAt: number;
  data: Record<string, unknown>;
  /** Finding whose title it shows. */
  findingId?: string;
  conversationId?: string;
}

/** Message of one kind, as it was consumed. */
export type Message<Spec extends MessageSpec> = EnvelopeOf<Spec>;

/** Tells what events a message is about, each once. */
export type EventsOf<Spec extends MessageSpec> = (message: Message<Spec>) => ToldEvent[];

type Told = Pick<ToldEvent, 'type' | 'data' | 'findingId' | 'conversationId'>;

/** Ties events to their message; their ids follow from it, so that a message that comes again makes the same. */
function told({ id: messageId, projectId, occurredAt }: Message<MessageSpec>, events: readonly Told[]): ToldEvent[] {
  return events.map(({ data, ...event }, index) => ({
    ...{ messageId, eventId: derivedId('evt', messageId, String(index)), projectId, occurredAt },
    ...{ ...event, data: { projectId, ...data } },
  }));
}

export const findingEventsOf: EventsOf<typeof findingChanged> = (message) => {
  const { actor = null, findings } = message.data;
  return told(
    message,
    findings.map((finding) => {
      const { previous = null, sequence, ...facts } = finding;
      const data: Omit<FindingEvent, 'projectId'> = { ...facts, title: null, previous, actor, sequence };
      const { findingId, conversationId } = finding;
      return { type: findingEventType(finding), data, findingId, conversationId };
    }),
  );
};

function findingEventType({ previous, resolutionStatus }: ChangedFinding): WebhookEventType {
  if (previous === null) return 'finding.created';
  const hasMoved = previous !== undefined && previous.resolutionStatus !== resolutionStatus;
  if (hasMoved && resolutionStatus === 'resolved') return 'finding.resolved';
  if (hasMoved && resolutionStatus === 'regressed') return 'finding.regressed';
  return 'finding.changed';
}

export const workItemEventsOf: EventsOf<typeof workItemChanged> = (message) => {
  const { change, syncState } = message.data;
  const changed = syncState === 'error' ? 'work_item.sync_failed' : 'work_item.changed';
  const type = change === 'created' ? 'work_item.created' : changed;
  return told(message, [{ type, data: message.data }]);
};

export const knowledgeItemEventsOf: EventsOf<typeof knowledgeItemChanged> = (message) =>
  told(
    message,
    message.data.items.map((item) => {
      const isNew = item.revision === 1 && item.status === 'active';
      return { type: isNew ? 'knowledge_item.created' : 'knowledge_item.changed', data: item };
    }),
  );

export const datasetEventsOf: EventsOf<typeof datasetChanged> = (message) =>
  told(message, [{ type: 'dataset.changed', data: message.data }]);

export const datasetDeletedEventsOf: EventsOf<typeof datasetDeleted> = (message) =>
  told(message, [{ type: 'dataset.deleted', data: message.data }]);

export const ruleBackfillEventsOf: EventsOf<typeof ruleBackfillEnded> = (message) =>
  told(message, [{ type: 'backfill.ended', data: { kind: 'rule', ...message.data } }]);

export const knowledgeBackfillEventsOf: EventsOf<typeof knowledgeBackfillEnded> = (message) =>
  told(message, [{ type: 'backfill.ended', data: { kind: 'knowledge', ...message.data } }]);
