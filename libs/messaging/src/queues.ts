import {
  analysisCompleted,
  analysisRequested,
  conversationFindingsChanged,
  conversationReady,
  datasetModelsNamed,
  EXCHANGE_OF_KIND,
  routingKeyOf,
  runtimeCommanded,
  spansReceived,
  type MessageSpec,
} from '@clew/contracts';

/**
 * A durable queue. Its arguments cannot be changed once it exists in a broker: what changes them takes a new name
 * (`.v2`), and the old queue is deleted once it is empty and nothing on the retry queues can come back to it.
 */
export interface QueueSpec<Spec extends MessageSpec = MessageSpec> {
  /** `<consumer>.<subject>.v<version>` */
  readonly name: string;
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
}

function defineQueue<Spec extends MessageSpec>(queue: QueueSpec<Spec>): QueueSpec<Spec> {
  return queue;
}

const GIB = 1024 ** 3;
/** Several messages in hand are counted together when their consumer is killed, so one kill says little about one. */
const SHARED_DELIVERY_LIMIT = 20;

/** Every durable queue. Consumers declare their own; a publisher that confirms to its caller declares it as well. */
export const QUEUES = {
  spansReceived: defineQueue({
    name: 'telemetry-warehouse.spans-received.v1',
    message: spansReceived,
    prefetch: 8,
    deliveryLimit: SHARED_DELIVERY_LIMIT,
    maxLengthBytes: GIB,
  }),
  conversationFindings: defineQueue({
    name: 'telemetry-warehouse.conversation-findings.v1',
    message: conversationFindingsChanged,
    prefetch: 50,
    deliveryLimit: SHARED_DELIVERY_LIMIT,
  }),
  conversationReady: defineQueue({
    name: 'diagnostics-svc.conversation-ready.v1',
    message: conversationReady,
    prefetch: 10,
    deliveryLimit: SHARED_DELIVERY_LIMIT,
  }),
  // One at a time, so that a message that kills its worker takes no other with it; more work takes more replicas.
  analysis: defineQueue({
    name: 'jobs-worker.analysis.v1',
    message: analysisRequested,
    prefetch: 1,
    deliveryLimit: 4,
  }),
  analysisResults: defineQueue({
    name: 'diagnostics-svc.analysis-results.v1',
    message: analysisCompleted,
    prefetch: 100,
    deliveryLimit: SHARED_DELIVERY_LIMIT,
    singleActiveConsumer: true,
  }),
  datasetModels: defineQueue({
    name: 'model-runtime-svc.dataset-models.v1',
    message: datasetModelsNamed,
    prefetch: 20,
    deliveryLimit: SHARED_DELIVERY_LIMIT,
  }),
} as const;

/** The commands of one runtime node; each node has a queue of its own, and does what is addressed to it. */
export function runtimeCommandsQueue(node: string) {
  return defineQueue({
    name: `model-runtime-agent.${node}.commands.v1`,
    message: runtimeCommanded,
    prefetch: 20,
    deliveryLimit: SHARED_DELIVERY_LIMIT,
  });
}

/** Whether some durable queue is for the message, so that it must not be dropped for want of one. */
export function hasDurableSubscriber(exchange: string, routingKey: string): boolean {
  return Object.values(QUEUES).some(
    ({ message }) => EXCHANGE_OF_KIND[message.kind] === exchange && routingKeyOf(message) === routingKey,
  );
}
