import { z } from 'zod';
import { ruleBackfillEnded, knowledgeBackfillEnded } from '../messages/backfills.ts';
import { datasetChanged, datasetDeleted } from '../messages/datasets.ts';
import { ChangedFinding, FindingFacts } from '../messages/findings.ts';
import { ChangedItem } from '../messages/knowledge-items.ts';
import { workItemChanged } from '../messages/work-items.ts';

const OF_PROJECT = { projectId: z.string() };

const FindingEvent = z
  .object({
    ...OF_PROJECT,
    ...ChangedFinding.omit({ previous: true, sequence: true }).shape,
    title: z.string().nullable().meta({ description: 'null: the Finding is gone by now' }),
    previous: FindingFacts.nullable().meta({ description: 'What it was before; null where that is not known' }),
    actor: z
      .object({ kind: z.enum(['key', 'user', 'service']), id: z.string() })
      .nullable()
      .meta({ description: 'Who did it; null where conversations brought it about' }),
    sequence: ChangedFinding.shape.sequence,
  })
  .meta({ id: 'FindingEvent' });
export type FindingEvent = z.infer<typeof FindingEvent>;

const WorkItemEvent = z.object({ ...OF_PROJECT, ...workItemChanged.data.shape }).meta({ id: 'WorkItemEvent' });
const KnowledgeItemEvent = z.object({ ...OF_PROJECT, ...ChangedItem.shape }).meta({ id: 'KnowledgeItemEvent' });
const DatasetEvent = z.object({ ...OF_PROJECT, ...datasetChanged.data.shape }).meta({ id: 'DatasetEvent' });
const DatasetDeletedEvent = z
  .object({ ...OF_PROJECT, ...datasetDeleted.data.shape })
  .meta({ id: 'DatasetDeletedEvent' });
const BackfillEvent = z
  .discriminatedUnion('kind', [
    z.object({ ...OF_PROJECT, kind: z.literal('rule'), ...ruleBackfillEnded.data.shape }),
    z.object({ ...OF_PROJECT, kind: z.literal('knowledge'), ...knowledgeBackfillEnded.data.shape }),
  ])
  .meta({ id: 'BackfillEvent' });
const FailureRateEvent = z
  .object({
    ...OF_PROJECT,
    rate: z.number().min(0).max(1).meta({ description: 'Estimated share of conversations that failed' }),
    low: z.number().min(0).max(1).meta({ description: 'Lower end of its 95% interval' }),
    high: z.number().min(0).max(1),
    reviewed: z.int().min(0).meta({ description: 'Conversations drawn at random that a model has read' }),
    above: z.number().min(0).max(1).meta({ description: 'Bound of the webhook' }),
    startMs: z.int().meta({ description: 'Begin of the time that it is about' }),
    endMs: z.int(),
  })
  .meta({ id: 'FailureRateEvent' });
const Ping = z.object({ ...OF_PROJECT, webhookId: z.string() }).meta({ id: 'PingEvent' });

/**
 * Everything that a webhook can be told, with what its `data` holds. A change is told once, by the first type in this
 * order that it fits.
 */
export const WEBHOOK_EVENTS = {
  'finding.created': { summary: 'A Finding is new', data: FindingEvent },
  'finding.resolved': { summary: 'A Finding became resolved', data: FindingEvent },
  'finding.regressed': { summary: 'A resolved Finding was found again', data: FindingEvent },
  'finding.changed': { summary: 'A Finding changed in another way', data: FindingEvent },
  'work_item.created': { summary: 'A work item is new', data: WorkItemEvent },
  'work_item.sync_failed': { summary: 'A work item could not be synchronized', data: WorkItemEvent },
  'work_item.changed': { summary: 'A work item changed', data: WorkItemEvent },
  'knowledge_item.created': { summary: 'A Knowledge item is new', data: KnowledgeItemEvent },
  'knowledge_item.changed': { summary: 'A Knowledge item changed, was archived or erased', data: KnowledgeItemEvent },
  'dataset.changed': { summary: 'The Examples of a Dataset, its name or its policy changed', data: DatasetEvent },
  'dataset.deleted': { summary: 'A Dataset was deleted', data: DatasetDeletedEvent },
  'failure_rate.exceeded': { summary: 'The failure rate of a week has come above a bound', data: FailureRateEvent },
  'backfill.ended': { summary: 'A backfill of a Rule or of Knowledge has ended', data: BackfillEvent },
} as const;

export type WebhookEventType = keyof typeof WEBHOOK_EVENTS;
export const WEBHOOK_EVENT_TYPES = Object.keys(WEBHOOK_EVENTS) as WebhookEventType[];

/** Event that only a test sends; no webhook can choose it. */
export const PING = { type: 'ping', summary: 'Somebody tests the webhook', data: Ping } as const;

export type SentEventType = WebhookEventType | typeof PING.type;

const SUBJECTS = [...new Set(WEBHOOK_EVENT_TYPES.map((type) => type.slice(0, type.indexOf('.'))))];

/** Types that a webhook can choose: single ones, all of one subject (`finding.*`), or all (`*`). */
export const WebhookEventChoice = z
  .enum(['*', ...SUBJECTS.map((subject) => `${subject}.*`), ...WEBHOOK_EVENT_TYPES])
  .meta({ id: 'WebhookEventChoice' });

/** Schema of the body of a delivery in the format `standard`. */
export function webhookBody<Data extends z.ZodType>(type: SentEventType, data: Data) {
  return z.object({
    type: z.literal(type),
    timestamp: z.iso.datetime().meta({ description: 'When it happened' }),
    data,
  });
}
