import { setTimeout as sleep } from 'node:timers/promises';
import {
  conversationReady,
  findingChanged,
  knowledgeItemChanged,
  type Envelope,
  type MessageSpec,
} from '@clew/contracts';
import { connectBroker, createPublisher } from '@clew/messaging';
import { silentLogger } from '@clew/runtime';

/** Source of the events that services publish when things change. */
export interface Changes {
  /** Publishes events at a steady rate, each about another thing, in turn for each project. */
  publish(projectIds: readonly string[], perSecond: number, seconds: number): Promise<number>;
  stop(): Promise<void>;
}

const PIECES_PER_SECOND = 20;

/** Things that change, in turn: two conversations, a Finding, a Knowledge item. */
const EVENTS: readonly ((id: string) => { spec: MessageSpec; data: unknown })[] = [ready, ready, found, learnt];

export async function openChanges(amqpUrl: string): Promise<Changes> {
  const broker = await connectBroker({ url: amqpUrl, appName: 'bench', logger: silentLogger() });
  await broker.whenConnected(AbortSignal.timeout(10_000));
  const publisher = createPublisher(broker);
  let count = 0;

  async function publishOne(projectId: string): Promise<void> {
    count += 1;
    const id = `thing-${count}`;
    const { spec, data } = (EVENTS[count % EVENTS.length] ?? found)(id);
    const { type, version } = spec;
    const occurredAt = Date.now();
    const envelope: Envelope<unknown> = {
      id: `${type}:${id}`,
      type,
      version,
      occurredAt,
      projectId,
      requestId: null,
      data,
    };
    await publisher.publish(spec, envelope);
  }

  return {
    async publish(projectIds, perSecond, seconds) {
      const beginMs = performance.now();
      const total = perSecond * seconds;
      const before = count;
      for (let piece = 1; piece <= seconds * PIECES_PER_SECOND; piece += 1) {
        const due = Math.round((total * piece) / (seconds * PIECES_PER_SECOND)) - (count - before);
        const sent = Array.from({ length: due }, () => publishOne(projectIds[count % projectIds.length] ?? ''));
        await Promise.all(sent);
        await sleep(Math.max(0, beginMs + (piece * 1_000) / PIECES_PER_SECOND - performance.now()));
      }
      return count - before;
    },
    async stop() {
      await publisher.close();
      await broker.close();
    },
  };
}

function ready(conversationId: string) {
  const conversation = {
    ...{ conversationId, snapshotId: `cesr_${conversationId}`, contentHash: 'c'.repeat(64), revision: 1 },
    ...{ startedAt: 1, lastActivityAt: 1, messageCount: 12, messagesHash: 'm'.repeat(64) },
    traceIds: Array.from({ length: 3 }, (_, index) => String(index).repeat(32)),
  };
  return { spec: conversationReady, data: { conversations: [conversation] } };
}

function found(findingId: string) {
  const state = { reviewStatus: 'unreviewed', resolutionStatus: 'unresolved', severity: 'high', listed: true };
  const finding = {
    ...{ findingId, ruleId: 'rule_tool_error', ruleKey: 'tool_error', categoryKey: 'tools', ...state },
    ...{ occurrenceCount: 3, conversationId: 'conversation', previous: state, sequence: 4 },
  };
  return { spec: findingChanged, data: { findings: [finding] } };
}

function learnt(itemId: string) {
  const item = {
    itemId,
    goalId: 'goal_a',
    status: 'active',
    kind: 'fact',
    authority: 'user_stated',
    createdAt: 1,
    revision: 1,
  };
  return { spec: knowledgeItemChanged, data: { items: [item] } };
}
