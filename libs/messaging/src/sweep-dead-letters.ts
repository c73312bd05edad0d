import type { ConfirmChannel, GetMessage } from 'amqplib';
import type { ServiceName } from '@clew/contracts';
import { readJson } from '@clew/kernel';
import type { Broker } from './broker.ts';
import { reasonOf, withChannel, giveBackAll } from './dead-letters.ts';
import { DEAD_REASON_HEADER } from './headers.ts';
import { createPublisher, type Publisher } from './publisher.ts';
import { DEAD_EXCHANGE, type QueueSpec } from './queue-spec.ts';
import { queuesSweptBy } from './queues.ts';
import { deadLetterQueueOf } from './topology.ts';

/** Decides about a dead letter: keep it, erase it, or keep it with a new body. */
export type JudgeLetter = (body: string, queue: QueueSpec) => Promise<'keep' | 'erase' | { left: string }>;

/** Headers that the broker sets anew each time a message dies. */
const OF_ONE_DEATH = /^x-(death|(first|last)-death-.*|delivery-count|acquired-count)$/;
const NO_SUCH_QUEUE = 404;

/**
 * Removes content that is to be erased from the dead letters of queues; returns how many letters were removed or
 * rewritten. The remaining letters keep their places; meanwhile they are invisible to others, and only the examined one
 * is in memory. A rewritten letter goes to the end, and the old one is removed only after the broker has confirmed the
 * new one. A process killed in between leaves both, with the id that consumers know, and the next call processes the
 * old one.
 */
export async function sweepDeadLetters(
  broker: Broker,
  queues: readonly QueueSpec[],
  judge: JudgeLetter,
): Promise<number> {
  const publisher = createPublisher(broker);
  let swept = 0;
  try {
    for (const queue of queues) {
      swept += await withChannel(broker, (channel) => sweepQueue({ channel, publisher, queue, judge }));
    }
    return swept;
  } finally {
    await publisher.close();
  }
}

interface Sweep {
  channel: ConfirmChannel;
  publisher: Publisher;
  queue: QueueSpec;
  judge: JudgeLetter;
}

async function sweepQueue({ channel, publisher, queue, judge }: Sweep): Promise<number> {
  const dead = deadLetterQueueOf(queue.name);
  if (!(await exists(channel, queue, dead))) return 0;
  let swept = 0;
  try {
    for (;;) {
      const message = await channel.get(dead, { noAck: false });
      if (message === false) return swept;
      const judged = await judge(message.content.toString(), queue);
      if (judged === 'keep') continue;
      if (judged !== 'erase') await rebury(publisher, queue, message, judged.left);
      channel.ack(message);
      swept += 1;
    }
  } finally {
    await giveBackAll(channel, dead);
  }
}

/** Tells whether the queue exists: a retired one is deleted with its dead letters once it is empty. */
async function exists(channel: ConfirmChannel, queue: QueueSpec, dead: string): Promise<boolean> {
  try {
    await channel.checkQueue(dead);
    return true;
  } catch (error) {
    if (queue.retired === true && (error as { code?: unknown }).code === NO_SUCH_QUEUE) return false;
    throw error;
  }
}

async function rebury(publisher: Publisher, queue: QueueSpec, message: GetMessage, left: string): Promise<void> {
  const { properties } = message;
  const headers: Record<string, unknown> = properties.headers ?? {};
  const kept = Object.entries(headers).filter(([name]) => !OF_ONE_DEATH.test(name));
  await publisher.publishRaw(DEAD_EXCHANGE, queue.name, Buffer.from(left), {
    headers: { ...Object.fromEntries(kept), [DEAD_REASON_HEADER]: reasonOf(message) },
    ...(typeof properties.messageId === 'string' ? { messageId: properties.messageId } : {}),
  });
}

/**
 * Judges letters by the conversation that they name: a letter about that conversation alone is erased, and from a
 * letter about several, only its part is. A body that is no valid message is erased if it contains both names.
 */
export function eraseLettersOf({ projectId, conversationId }: Record<'projectId' | 'conversationId', string>) {
  const isOf = (value: unknown): boolean => {
    if (Array.isArray(value)) return value.some(isOf);
    if (!isRecord(value)) return false;
    return value['conversationId'] === conversationId || Object.values(value).some(isOf);
  };
  const judge: JudgeLetter = (body) => {
    const envelope = recordIn(body);
    if (typeof envelope?.['projectId'] !== 'string') {
      const isNamed = [projectId, conversationId].every((name) => body.includes(JSON.stringify(name)));
      return Promise.resolve(isNamed ? 'erase' : 'keep');
    }
    if (envelope['projectId'] !== projectId || !isOf(envelope)) return Promise.resolve('keep');
    const data = envelope['data'];
    const left = isRecord(data) ? withoutMembers(data, isOf) : undefined;
    return Promise.resolve(
      left === undefined || isOf(left) ? 'erase' : { left: JSON.stringify({ ...envelope, data: left }) },
    );
  };
  return judge;
}

/** Removes the matching members of lists; undefined if a list has no others. */
function withoutMembers(
  data: Record<string, unknown>,
  isMeant: (value: unknown) => boolean,
): Record<string, unknown> | undefined {
  const left = { ...data };
  for (const [key, value] of Object.entries(data)) {
    if (!Array.isArray(value) || !value.some(isMeant)) continue;
    const others = value.filter((member) => !isMeant(member));
    if (others.length === 0) return undefined;
    left[key] = others;
  }
  return left;
}

function recordIn(text: string): Record<string, unknown> | undefined {
  try {
    const value = readJson(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Judges dead letters when a project is deleted: all of its letters are erased. */
export function lettersOfProject(projectId: string): JudgeLetter {
  const named = JSON.stringify(projectId);
  return (body) => Promise.resolve(body.includes(named) ? 'erase' : 'keep');
}

/** Removes the dead letters of a project from the queues that a service searches. */
export function eraseProjectLetters(
  broker: Broker,
  service: ServiceName,
): (projectId: string) => Promise<{ deadLetters: number }> {
  return async (projectId) => ({
    deadLetters: await sweepDeadLetters(broker, queuesSweptBy(service), lettersOfProject(projectId)),
  });
}
