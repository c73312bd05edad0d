import {
  adjudicationCompleted,
  adjudicationRequested,
  analysisCompleted,
  analysisRequested,
  conversationFindingsChanged,
  conversationReady,
  datasetModelsNamed,
  EXCHANGE_OF_KIND,
  extractionCompleted,
  extractionRequested,
  goalModelsNamed,
  routingKeyOf,
  ruleModelsNamed,
  runtimeCommanded,
  spansReceived,
  type MessageSpec,
  type ServiceName,
} from '@clew/contracts';

/**
 * A durable queue. Its arguments cannot be changed once it exists in a broker: what changes them, or the shape of the
 * message, is the next version with a queue of its own, which the consumer reads beside the old one for as long as the
 * old one is `retired`.
 */
export interface QueueSpec<Spec extends MessageSpec = MessageSpec> {
  /** `<consumer>.<subject>.v<version>` */
  readonly name: string;
  /** Who takes from it. */
  readonly consumer: ServiceName;
  /** The message that it receives. */
  readonly message: Spec;
  /** Messages that one consumer has in hand at a time. */
  readonly prefetch: number;
  /** Deliveries that may end without an answer (a killed consumer) before the broker dead-letters the message. */
  readonly deliveryLimit: number;
  /** Beyond this the broker refuses publishes, which its publisher sees as PublishRejectedError. */
  readonly maxLengthBytes?: number;
  /** One consumer at a time, the others stand by: for results that share counters. */
  readonly singleActiveConsumer?: boolean;
  /** It receives a copy of what ended in the dead letters of that queue, for whoever waits for it. */
  readonly deadLettersOf?: string;
  /** Nothing is published for it any more: the migration deletes it once it is empty. */
  readonly retired?: boolean;
  /** Its consumer declares it: a queue of one node, which no migration can know. */
  readonly declaredByConsumer?: boolean;
}

type QueueOptions<Spec extends MessageSpec> = Omit<QueueSpec<Spec>, 'name' | 'consumer'>;

/** The queue of a consumer for one subject, in the version of its message. */
function queueOf<Spec extends MessageSpec>(
  consumer: ServiceName,
  subject: string,
  options: QueueOptions<Spec>,
): QueueSpec<Spec> {
  return { name: `${consumer}.${subject}.v${options.message.version}`, consumer, ...options };
}

const GIB = 1024 ** 3;
/** Several messages in hand are counted together when their consumer is killed, so one kill says little about one. */
const SHARED_DELIVERY_LIMIT = 20;

// One at a time, so that a message that kills its worker takes no other with it; more work takes more replicas.
const ONE_AT_A_TIME = { prefetch: 1, deliveryLimit: 4 } as const;
const analysis = queueOf('jobs-worker', 'analysis', { message: analysisRequested, ...ONE_AT_A_TIME });
/** Commands of one queue for which a worker waits for models at a time: an answer is waited for, not computed. */
export const MODEL_PLACES = 32;
/**
 * How many places one project has, and one provider, of a worker's and of what waits in workers' hands: a quarter. No
 * place is taken back from a call that takes minutes, so whoever comes finds those that others may not take.
 */
export const SHARES = 4;
/** Commands in hand: for each place some more, which are there when it becomes free, however busy their owner is. */
const WAITS_FOR_MODELS = { prefetch: 4 * MODEL_PLACES, deliveryLimit: SHARED_DELIVERY_LIMIT } as const;

const adjudication = queueOf('jobs-worker', 'adjudication', { message: adjudicationRequested, ...WAITS_FOR_MODELS });
const extraction = queueOf('jobs-worker', 'extraction', { message: extractionRequested, ...WAITS_FOR_MODELS });

/**
 * Every durable queue that all deployments have: who consumes which message. The migration step declares all of them,
 * so that a subscriber that was never up yet misses nothing; processes only check them.
 */
export const QUEUES = {
  spansReceived: queueOf('telemetry-warehouse', 'spans-received', {
    message: spansReceived,
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
    prefetch: 10,
    deliveryLimit: SHARED_DELIVERY_LIMIT,
  }),
  adjudication,
  adjudicationResults: queueOf('diagnostics-svc', 'adjudication-results', {
    message: adjudicationCompleted,
    prefetch: 20,
    deliveryLimit: SHARED_DELIVERY_LIMIT,
    singleActiveConsumer: true,
  }),
  adjudicationGivenUp: queueOf('diagnostics-svc', 'adjudication-given-up', {
    message: adjudicationRequested,
    deadLettersOf: adjudication.name,
    prefetch: 10,
    deliveryLimit: SHARED_DELIVERY_LIMIT,
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
    prefetch: 10,
    deliveryLimit: SHARED_DELIVERY_LIMIT,
  }),
  knowledgeConversations: queueOf('knowledge-svc', 'conversation-ready', {
    message: conversationReady,
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

/** Services that keep what conversations say, beside messages about them. */
const KEEPERS: readonly ServiceName[] = ['telemetry-warehouse', 'diagnostics-svc', 'knowledge-svc'];

/**
 * The queues whose dead letters a service looks through when a conversation is erased: its own, and those of the
 * workers that it asks, who keep nothing themselves.
 */
export function queuesSweptBy(service: ServiceName): QueueSpec[] {
  if (!KEEPERS.includes(service)) return [];
  return Object.values<QueueSpec>(QUEUES).filter(
    ({ consumer, message }) =>
      consumer === service || (consumer === 'jobs-worker' && message.publishedBy.includes(service)),
  );
}

/** The commands of one runtime node; each node has a queue of its own, and does what is addressed to it. */
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

/** Whether some durable queue is for the message, so that it must not be dropped for want of one. */
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

/** Where its messages come from. */
export function bindingOf({ message, deadLettersOf }: QueueSpec): { exchange: string; routingKey: string } {
  if (deadLettersOf !== undefined) return { exchange: DEAD_EXCHANGE, routingKey: deadLettersOf };
  return { exchange: EXCHANGE_OF_KIND[message.kind], routingKey: routingKeyOf(message) };
}

/** Dead letters go here with the name of the queue that they died on. */
export const DEAD_EXCHANGE = 'clew.dead';
