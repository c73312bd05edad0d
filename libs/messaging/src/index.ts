export { consumeBatches, type BatchContext, type ConsumeBatchesOptions } from './batch-consumer.ts';
export {
  subscribeBroadcast,
  subscribeBroadcasts,
  type Broadcast,
  type BroadcastOptions,
  type BroadcastsOptions,
} from './broadcast.ts';
export { connectBroker, type Broker, type BrokerOptions } from './broker.ts';
export type { Connection } from './connection.ts';
export { consume, type ConsumeOptions, type MessageContext } from './consumer.ts';
export {
  listDeadLetters,
  queueDepth,
  replayDeadLetters,
  type DeadLetter,
  type QueueDepth,
  type ReplayOptions,
  type ReplayResult,
} from './dead-letters.ts';
export {
  BrokerUnavailableError,
  MessageTooLargeError,
  PublishRejectedError,
  UnroutableMessageError,
} from './errors.ts';
export type { Consumer, ConsumerOptions } from './intake.ts';
export { brokerThere, migrateTopology, type MigrateTopologyOptions } from './migrate-topology.ts';
export {
  createPublisher,
  MAX_MESSAGE_BYTES,
  type Publisher,
  type PublisherOptions,
  type PublishOptions,
} from './publisher.ts';
export { watchQueueCapacity, type QueueCapacity, type QueueCapacityOptions } from './queue-capacity.ts';
export { watchQueueRoom, type QueueRoom, type QueueRoomOptions } from './queue-room.ts';
export { bindingOf, DEAD_EXCHANGE, type QueueSpec } from './queue-spec.ts';
export { hasDurableSubscriber, MODEL_PLACES, QUEUES, queuesSweptBy, runtimeCommandsQueue, SHARES } from './queues.ts';
export { startRelay, type Relay, type RelayOptions } from './relay.ts';
export type { RawProperties } from './send-queue.ts';
export {
  eraseLettersOf,
  eraseProjectLetters,
  lettersOfProject,
  sweepDeadLetters,
  type JudgeLetter,
} from './sweep-dead-letters.ts';
export { deadLetterQueueOf, declareQueue, RETRY_DELAYS_MS, retryExchangeOf } from './topology.ts';
