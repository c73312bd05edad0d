import { EXCHANGE_OF_KIND, routingKeysOf, type MessageSpec, type ServiceName } from '@clew/contracts';
import { allMessages } from '@clew/contracts/all-messages';
import {
  bindingOf,
  DEAD_EXCHANGE,
  deadLetterQueueOf,
  QUEUES,
  queuesSweptBy,
  RETRY_DELAYS_MS,
  retryExchangeOf,
  runtimeCommandsQueue,
  type QueueSpec,
} from '@clew/messaging';

/**
 * Broker permissions of a user: patterns for names of queues and exchanges and, on topic exchanges, for routing keys.
 */
export interface BrokerRights {
  readonly configure: string;
  readonly write: string;
  readonly read: string;
  readonly topics: readonly { readonly exchange: string; readonly write: string; readonly read: string }[];
}

/** Names that the broker gives to queues that live as long as their connection. */
const OWN_QUEUES = String.raw`amq\.gen-.*`;

/** Pattern that matches no name. */
const NOTHING = '^$';

/** Permissions of the migration step: no other user declares durable queues and exchanges, except the agent's queue. */
export const MIGRATION_RIGHTS: BrokerRights = (() => {
  const queues = Object.values<QueueSpec>(QUEUES).flatMap(({ name }) => [name, deadLetterQueueOf(name)]);
  const retries = RETRY_DELAYS_MS.map(retryExchangeOf);
  const exchanges = [...Object.values(EXCHANGE_OF_KIND), DEAD_EXCHANGE];
  const all = anyOf([...exchanges, ...retries, ...queues].map(escaped));
  // Retry queues send messages back through the default exchange.
  const withDefault = anyOf([...exchanges, ...retries, ...queues, 'amq.default'].map(escaped));
  return {
    ...{ configure: all, write: withDefault, read: all },
    topics: exchanges.map((exchange) => ({ exchange, write: NOTHING, read: '.*' })),
  };
})();

/** User name of the command line. */
export const CLI_USER = 'cli';

/** Permissions of the command line: count every queue, read its dead letters, and send them back. */
export function commandLineRights(nodes: readonly string[]): BrokerRights {
  const queues = [...Object.values<QueueSpec>(QUEUES), ...nodes.map(runtimeCommandsQueue)];
  const dead = queues.map(({ name }) => escaped(deadLetterQueueOf(name)));
  // Writing to a queue by its name goes through the default exchange.
  return { configure: NOTHING, write: anyOf([escaped('amq.default')]), read: anyOf(dead), topics: [] };
}

/**
 * Permissions of a process: publish its messages, consume its queues, put failed messages into retry and dead-letter
 * queues, and receive broadcast messages on a queue that lives as long as the process. It also removes erased text from
 * dead letters. Only the agent of a node declares a durable queue, that of its node.
 */
export function brokerRights(service: ServiceName, nodes: readonly string[]): BrokerRights {
  const messages = allMessages();
  const published = messages.filter(({ publishedBy }) => publishedBy.includes(service));
  const heard = messages.filter(({ heardBy }) => heardBy?.includes(service) === true);
  const ofTable = Object.values<QueueSpec>(QUEUES).filter(({ consumer }) => consumer === service);
  const ofNode = nodes.map(runtimeCommandsQueue).filter(({ consumer }) => consumer === service);
  const queues = [...ofTable, ...ofNode];
  const swept = queuesSweptBy(service);
  const dead = swept.map(({ name }) => deadLetterQueueOf(name));
  const declared = ofNode.flatMap(({ name }) => [name, deadLetterQueueOf(name)]).map(escaped);
  const own = [...declared, ...(heard.length > 0 ? [OWN_QUEUES] : [])];
  const exchangesOf = (specs: readonly MessageSpec[]) => [...new Set(specs.map(({ kind }) => EXCHANGE_OF_KIND[kind]))];
  const failures = queues.length === 0 ? [] : [DEAD_EXCHANGE, ...RETRY_DELAYS_MS.map(retryExchangeOf)];
  const bound = [...exchangesOf(heard), ...ofNode.flatMap((queue) => [bindingOf(queue).exchange, DEAD_EXCHANGE])];
  return {
    configure: anyOf(own),
    write: anyOf([...[...exchangesOf(published), ...failures].map(escaped), ...own]),
    read: anyOf([...[...new Set(bound), ...queues.map(({ name }) => name), ...dead].map(escaped), ...own]),
    topics: topicsOf(published, heard, [...new Set([...queues, ...swept])], ofNode),
  };
}

function topicsOf(
  published: readonly MessageSpec[],
  heard: readonly MessageSpec[],
  queues: readonly QueueSpec[],
  ofNode: readonly QueueSpec[],
): BrokerRights['topics'] {
  const keysOf = (specs: readonly MessageSpec[], exchange: string) =>
    specs.filter(({ kind }) => EXCHANGE_OF_KIND[kind] === exchange).flatMap(routingKeysOf);
  const boundTo = (exchange: string) => ofNode.map(bindingOf).filter((binding) => binding.exchange === exchange);
  return [...Object.values(EXCHANGE_OF_KIND), DEAD_EXCHANGE].map((exchange) => {
    const isDead = exchange === DEAD_EXCHANGE;
    const written = isDead ? queues.map(({ name }) => name) : keysOf(published, exchange);
    const read = isDead ? ofNode.map(({ name }) => name) : keysOf(heard, exchange);
    const keys = [...read, ...boundTo(exchange).map(({ routingKey }) => routingKey)];
    return { exchange, write: anyOf(written.map(escaped)), read: anyOf(keys.map(escaped)) };
  });
}

function anyOf(patterns: readonly string[]): string {
  return patterns.length === 0 ? NOTHING : `^(${patterns.join('|')})$`;
}

function escaped(name: string): string {
  return name.replaceAll('.', String.raw`\.`);
}
