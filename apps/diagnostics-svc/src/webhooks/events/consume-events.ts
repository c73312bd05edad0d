import type { MessageSpec } from '@clew/contracts';
import { consumeBatches, QUEUES, type Broker, type Consumer, type QueueSpec } from '@clew/messaging';
import type { Logger } from '@clew/runtime';
import {
  datasetDeletedEventsOf,
  datasetEventsOf,
  findingEventsOf,
  knowledgeBackfillEventsOf,
  knowledgeItemEventsOf,
  ruleBackfillEventsOf,
  workItemEventsOf,
  type EventsOf,
} from './event-of.ts';
import type { TakeEvents } from './take-events.ts';

interface Consuming {
  broker: Broker;
  logger: Logger;
  take: TakeEvents;
}

/** Starts the consumers of everything that webhooks tell. */
export function consumeEvents(consuming: Consuming): Consumer[] {
  return [
    consumerOf(consuming, QUEUES.toldFindings, findingEventsOf),
    consumerOf(consuming, QUEUES.toldWorkItems, workItemEventsOf),
    consumerOf(consuming, QUEUES.toldItems, knowledgeItemEventsOf),
    consumerOf(consuming, QUEUES.toldDatasets, datasetEventsOf),
    consumerOf(consuming, QUEUES.toldDatasetDeletions, datasetDeletedEventsOf),
    consumerOf(consuming, QUEUES.toldRuleBackfills, ruleBackfillEventsOf),
    consumerOf(consuming, QUEUES.toldKnowledgeBackfills, knowledgeBackfillEventsOf),
  ];
}

function consumerOf<Spec extends MessageSpec>(
  { take, ...served }: Consuming,
  queue: QueueSpec<Spec>,
  eventsOf: EventsOf<Spec>,
): Consumer {
  return consumeBatches({ ...served, queue, handle: (messages) => take(messages.flatMap(eventsOf)) });
}
