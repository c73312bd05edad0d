import {
  adjudicationCompleted,
  adjudicationRequested,
  analysisCompleted,
  analysisRequested,
  collectionCompleted,
  collectionRequested,
  conversationFindingsChanged,
  conversationReady,
  datasetChanged,
  datasetDeleted,
  datasetModelsNamed,
  deedRecorded,
  extractionCompleted,
  extractionRequested,
  findingChanged,
  goalModelsNamed,
  kindComparisonCompleted,
  kindComparisonRequested,
  knowledgeBackfillEnded,
  knowledgeItemChanged,
  reviewCompleted,
  reviewRequested,
  quotasChanged,
  ruleBackfillEnded,
  ruleModelsNamed,
  runtimeCommanded,
  snapshotAnalysed,
  spansReceived,
  synthesisCompleted,
  synthesisRequested,
  workItemChanged,
  type ServiceName,
} from '@clew/contracts';
import { bindingOf, queueOf, type QueueSpec } from './queue-spec.ts';

const GIB = 1024 ** 3;
/**
 * Delivery limit of consumers with several messages in hand: when one is killed, all of them count, so that one kill
 * says little about a single message.
 */
const SHARED_DELIVERY_LIMIT = 20;

// One at a time, so that a message that kills its worker takes no other with it; more load needs more replicas.
const ONE_AT_A_TIME = { prefetch: 1, deliveryLimit: 4 } as const;
const analysis = queueOf('jobs-worker', 'analysis', { message: analysisRequested, ...ONE_AT_A_TIME });
/** Commands of one queue for which a worker waits for models at a time: waiting for an answer costs no computation. */
export const MODEL_PLACES = 32;
/**
 * Number of shares of a worker's places, and of the commands in workers' hands: one project or provider may take a
 * quarter. No place is taken back from a call that takes minutes, so that newcomers find the places that others may not
 * take.
 */
export const SHARES = 4;
/**
 * Settings for commands in hand: more than the places, so that a next command is ready as soon as a place is free, even
 * if its owner is busy.
 */
const WAITS_FOR_MODELS = { prefetch: 4 * MODEL_PLACES, deliveryLimit: SHARED_DELIVERY_LIMIT } as const;

const collection = queueOf('jobs-worker', 'collection', { message: collectionRequested, ...ONE_AT_A_TIME });

const adjudication = queueOf('jobs-worker', 'adjudication', { message: adjudicationRequested, ...WAITS_FOR_MODELS });
const review = queueOf('jobs-worker', 'review', { message: reviewRequested, ...WAITS_FOR_MODELS });
const kindComparison = queueOf('jobs-worker', 'kind-comparison', {
  message: kindComparisonRequested,
  ...WAITS_FOR_MODELS,
});
const synthesis = queueOf('jobs-worker', 'synthesis', { message: synthesisRequested, ...WAITS_FOR_MODELS });
const extraction = queueOf('jobs-worker', 'extraction', { message: extractionRequested, ...WAITS_FOR_MODELS });

/** Settings for answers of models, which one instance at a time applies in batches. */
const RESULTS = { prefetch: 20, deliveryLimit: SHARED_DELIVERY_LIMIT, singleActiveConsumer: true } as const;
/** Settings for copies of dead letters, by which the owner of the work learns of its end. */
const GIVEN_UP = { prefetch: 10, deliveryLimit: SHARED_DELIVERY_LIMIT } as const;

/** Settings for events that webhooks tell: read in groups, most of them for nobody. */
const TOLD = { prefetch: 100, deliveryLimit: SHARED_DELIVERY_LIMIT } as const;

/**
 * All durable queues that every deployment has, with their consumers and messages. The migration step declares all of
 * them, so that a subscriber that was never up misses nothing; processes only check them.
 */
export const QUEUES = {
  spansReceived: queueOf('telemetry-warehouse', 'spans-received', {
    message: spansReceived,
    prefetch: 8,
    deliveryLimit: SHARED_DELIVERY_LIMIT,
    maxLengthBytes: GIB,
  }),
  // As much in hand as of the usual lane, so that a project that sends much is as fast alone as without lanes; what one
  // project can send may fill no more than this queue.
  spansReceivedBulk: queueOf('telemetry-warehouse', 'spans-received-bulk', {
    message: spansReceived,
    lane: 'bulk',
    prefetch: 8,
    deliveryLimit: SHARED_DELIVERY_LIMIT,
    maxLengthBytes: GIB,
  }),
  conversationFindings: queueOf('telemetry-warehouse', 'conversation-findings', {
    message: conversationFindingsChanged,
    prefetch: 50,
    deliveryLimit: SHARED_DELIVERY_LIMIT,
  }),
  conversationReady: queueOf('diagnostics-svc', 'conversation-ready', {
    message: conversationReady,
    prefetch: 100,
    deliveryLimit: SHARED_DELIVERY_LIMIT,
  }),
  analysis,
  analysisResults: queueOf('diagnostics-svc', 'analysis-results', {
    message: analysisCompleted,
    prefetch: 100,
    deliveryLimit: SHARED_DELIVERY_LIMIT,
    singleActiveConsumer: true,
  }),
  analysisGivenUp: queueOf('diagnostics-svc', 'analysis-given-up', {
    message: analysisRequested,
    deadLettersOf: analysis.name,
    ...GIVEN_UP,
  }),
  adjudication,
  adjudicationResults: queueOf('diagnostics-svc', 'adjudication-results', {
    message: adjudicationCompleted,
    ...RESULTS,
  }),
  adjudicationGivenUp: queueOf('diagnostics-svc', 'adjudication-given-up', {
    message: adjudicationRequested,
    deadLettersOf: adjudication.name,
    ...GIVEN_UP,
  }),
  review,
  reviewResults: queueOf('diagnostics-svc', 'review-results', {
    message: reviewCompleted,
    ...RESULTS,
  }),
  reviewGivenUp: queueOf('diagnostics-svc', 'review-given-up', {
    message: reviewRequested,
    deadLettersOf: review.name,
    ...GIVEN_UP,
  }),
  kindComparison,
  kindComparisonResults: queueOf('diagnostics-svc', 'kind-comparison-results', {
    message: kindComparisonCompleted,
    ...RESULTS,
  }),
  kindComparisonGivenUp: queueOf('diagnostics-svc', 'kind-comparison-given-up', {
    message: kindComparisonRequested,
    deadLettersOf: kindComparison.name,
    ...GIVEN_UP,
  }),
  extraction,
  extractionResults: queueOf('knowledge-svc', 'extraction-results', {
    message: extractionCompleted,
    prefetch: 50,
    deliveryLimit: SHARED_DELIVERY_LIMIT,
    singleActiveConsumer: true,
  }),
  extractionGivenUp: queueOf('knowledge-svc', 'extraction-given-up', {
    message: extractionRequested,
    deadLettersOf: extraction.name,
    ...GIVEN_UP,
  }),
  knowledgeConversations: queueOf('knowledge-svc', 'conversation-ready', {
    message: conversationReady,
    prefetch: 20,
    deliveryLimit: SHARED_DELIVERY_LIMIT,
  }),
  analysedSnapshots: queueOf('datasets-svc', 'analysed-snapshots', {
    message: snapshotAnalysed,
    prefetch: 50,
    deliveryLimit: SHARED_DELIVERY_LIMIT,
  }),
  reviewedFindings: queueOf('datasets-svc', 'reviewed-findings', {
    message: findingChanged,
    prefetch: 50,
    deliveryLimit: SHARED_DELIVERY_LIMIT,
  }),
  collection,
  collectionResults: queueOf('datasets-svc', 'collection-results', {
    message: collectionCompleted,
    ...RESULTS,
  }),
  collectionGivenUp: queueOf('datasets-svc', 'collection-given-up', {
    message: collectionRequested,
    deadLettersOf: collection.name,
    ...GIVEN_UP,
  }),
  changedItems: queueOf('datasets-svc', 'changed-items', {
    message: knowledgeItemChanged,
    prefetch: 50,
    deliveryLimit: SHARED_DELIVERY_LIMIT,
  }),
  synthesis,
  synthesisResults: queueOf('datasets-svc', 'synthesis-results', {
    message: synthesisCompleted,
    ...RESULTS,
  }),
  synthesisGivenUp: queueOf('datasets-svc', 'synthesis-given-up', {
    message: synthesisRequested,
    deadLettersOf: synthesis.name,
    ...GIVEN_UP,
  }),
  toldFindings: queueOf('diagnostics-svc', 'told-findings', { message: findingChanged, ...TOLD }),
  toldWorkItems: queueOf('diagnostics-svc', 'told-work-items', { message: workItemChanged, ...TOLD }),
  toldItems: queueOf('diagnostics-svc', 'told-items', { message: knowledgeItemChanged, ...TOLD }),
  toldDatasets: queueOf('diagnostics-svc', 'told-datasets', { message: datasetChanged, ...TOLD }),
  toldDatasetDeletions: queueOf('diagnostics-svc', 'told-dataset-deletions', { message: datasetDeleted, ...TOLD }),
  toldRuleBackfills: queueOf('diagnostics-svc', 'told-rule-backfills', { message: ruleBackfillEnded, ...TOLD }),
  toldKnowledgeBackfills: queueOf('diagnostics-svc', 'told-knowledge-backfills', {
    message: knowledgeBackfillEnded,
    ...TOLD,
  }),
  recordedDeeds: queueOf('gateway', 'recorded-deeds', {
    message: deedRecorded,
    prefetch: 50,
    deliveryLimit: SHARED_DELIVERY_LIMIT,
  }),
  telemetryQuotas: queueOf('telemetry-warehouse', 'project-quotas', {
    message: quotasChanged,
    prefetch: 20,
    deliveryLimit: SHARED_DELIVERY_LIMIT,
  }),
  tokenQuotas: queueOf('model-runtime-svc', 'project-quotas', {
    message: quotasChanged,
    prefetch: 20,
    deliveryLimit: SHARED_DELIVERY_LIMIT,
  }),
  datasetModels: queueOf('model-runtime-svc', 'dataset-models', {
    message: datasetModelsNamed,
    prefetch: 20,
    deliveryLimit: SHARED_DELIVERY_LIMIT,
  }),
  ruleModels: queueOf('model-runtime-svc', 'rule-models', {
    message: ruleModelsNamed,
    prefetch: 20,
    deliveryLimit: SHARED_DELIVERY_LIMIT,
  }),
  goalModels: queueOf('model-runtime-svc', 'goal-models', {
    message: goalModelsNamed,
    prefetch: 20,
    deliveryLimit: SHARED_DELIVERY_LIMIT,
  }),
} as const;

/** Services that store conversation content, besides messages about it. */
const KEEPERS: readonly ServiceName[] = ['telemetry-warehouse', 'diagnostics-svc', 'knowledge-svc', 'datasets-svc'];

/**
 * Lists the queues whose dead letters a service searches when a conversation is erased: its own, and those of its
 * workers, which store nothing themselves.
 */
export function queuesSweptBy(service: ServiceName): QueueSpec[] {
  if (!KEEPERS.includes(service)) return [];
  return Object.values<QueueSpec>(QUEUES).filter(
    ({ consumer, message }) =>
      consumer === service || (consumer === 'jobs-worker' && message.publishedBy.includes(service)),
  );
}

/** Command queue of one runtime node; each node has its own queue, with the commands addressed to it. */
export function runtimeCommandsQueue(node: string): QueueSpec<typeof runtimeCommanded> {
  return {
    ...queueOf('model-runtime-agent', `${node}.commands`, {
      message: runtimeCommanded,
      prefetch: 20,
      deliveryLimit: SHARED_DELIVERY_LIMIT,
    }),
    declaredByConsumer: true,
  };
}

/** Tells whether any durable queue receives the message, so that it must not be dropped when that queue is missing. */
export function hasDurableSubscriber(
  exchange: string,
  routingKey: string,
  queues: readonly QueueSpec[] = Object.values<QueueSpec>(QUEUES),
): boolean {
  return queues.some((queue) => {
    if (queue.retired === true) return false;
    const bound = bindingOf(queue);
    return bound.exchange === exchange && bound.routingKey === routingKey;
  });
}
