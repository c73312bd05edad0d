import { parseArgs } from 'node:util';
import {
  connectBroker,
  listDeadLetters,
  queueDepth,
  QUEUES,
  replayDeadLetters,
  runtimeCommandsQueue,
  type Broker,
  type QueueSpec,
} from '@clew/messaging';
import { createLogger, UsageError } from '@clew/runtime';
import type { Command, CommandContext } from '../command.ts';
import { setting } from '../environment.ts';

const CONNECT_TIMEOUT_MS = 10_000;

/** Shows dead letters, and sends them back to their own queue. */
export const deadLettersCommand: Command = {
  name: 'dead-letters',
  usage: 'dead-letters [list QUEUE | replay QUEUE] [--id ID ...] [--limit N] [--node RUNTIME_NODE ...]',
  summary: 'count, show or send again the messages that were given up',
  async run(args, context) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        id: { type: 'string', multiple: true },
        limit: { type: 'string', default: '100' },
        node: { type: 'string', multiple: true, default: ['node-1'] },
      },
    });
    const [action = 'count', queueName] = positionals;
    const limit = Number(values.limit);
    if (!Number.isInteger(limit) || limit < 1) throw new UsageError('--limit must be a positive integer');
    await withBroker(context, async (broker) => {
      if (action === 'count') return countAll(broker, context, values.node);
      const queue = requireQueue(queueName, values.node);
      if (action === 'list') return show(context, await listDeadLetters(broker, queue, { limit }));
      if (action !== 'replay') throw new UsageError(`there is no "${action}"`);
      const ids = values.id === undefined ? {} : { ids: values.id };
      show(context, [await replayDeadLetters(broker, queue, { limit, ...ids })]);
    });
    return 0;
  },
};

async function withBroker(context: CommandContext, use: (broker: Broker) => Promise<void>): Promise<void> {
  const url = setting(context, 'AMQP_URL', ({ stack }) => stack['amqpUrl']);
  const logger = createLogger({ service: 'clew', version: '', level: 'silent' });
  const broker = await connectBroker({ url, appName: 'clew', logger });
  try {
    await broker.whenConnected(AbortSignal.timeout(CONNECT_TIMEOUT_MS));
    await use(broker);
  } finally {
    await broker.close();
  }
}

/** Lists the queues that all deployments have, and those of the named runtime nodes. */
function queuesOf(nodes: readonly string[]): QueueSpec[] {
  return [...Object.values<QueueSpec>(QUEUES), ...nodes.map((node) => runtimeCommandsQueue(node))];
}

async function countAll(broker: Broker, context: CommandContext, nodes: readonly string[]): Promise<void> {
  for (const queue of queuesOf(nodes)) {
    const depth = await queueDepth(broker, queue).catch(() => undefined);
    // A deleted retired queue, or an unknown node: there is nothing to count.
    if (depth === undefined) continue;
    const { messages, consumers, deadLetters } = depth;
    show(context, [{ queue: queue.name, messages, consumers, deadLetters }]);
  }
}

function requireQueue(name: string | undefined, nodes: readonly string[]): QueueSpec {
  const queues = queuesOf(nodes);
  const queue = queues.find((candidate) => candidate.name === name);
  if (queue !== undefined) return queue;
  const names = queues.map((candidate) => candidate.name);
  throw new UsageError(`Name one of the queues: ${names.join(', ')}`);
}

/** Writes one JSON object per line, for people and for scripts. */
function show(context: CommandContext, rows: readonly object[]): void {
  for (const row of rows) context.write(`${JSON.stringify(row)}\n`);
}
