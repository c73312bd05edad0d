import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  collectionCompleted,
  collectionRequested,
  MAX_WATCHED_PROBLEMS,
  readDiagnosedConversations,
  readSnapshots,
  type ConversationSnapshot,
  type DiagnosedConversation,
  type EnvelopeOf,
} from '@clew/contracts';
import { preserve, type Decision } from '@clew/collection';
import type { ServiceClient } from '@clew/http';
import { sha256Hex, type Clock } from '@clew/kernel';
import type { MessageContext, Publisher } from '@clew/messaging';

export interface CollectDependencies {
  warehouse: ServiceClient;
  diagnostics: ServiceClient;
  publisher: Publisher;
  clock: Clock;
}

type CollectionCommand = Pick<EnvelopeOf<typeof collectionRequested>, 'id' | 'projectId' | 'requestId' | 'data'>;
type Looked = EnvelopeOf<typeof collectionCompleted>['data']['conversations'][number];
type CollectContext = Pick<MessageContext, 'attempt' | 'unansweredDeliveries' | 'signal' | 'logger' | 'heartbeat'>;

/** Failed attempts after which a command is split, so that the conversation at fault fails alone. */
const ATTEMPTS_TOGETHER = 2;
/** Size in bytes from which the results so far are published. */
const MAX_PART_BYTES = 1024 * 1024;

/**
 * Decides what a Dataset collects from the conversations of a command, and publishes it to the owner, which alone
 * writes. A command that ended a process or failed repeatedly is split into one for each conversation.
 */
export function createCollect({ warehouse, diagnostics, publisher, clock }: CollectDependencies) {
  async function split(command: CollectionCommand): Promise<void> {
    for (const one of command.data.conversations) {
      await publisher.publish(collectionRequested, {
        ...envelope(command, collectionRequested, one.conversationId, clock.now()),
        data: { ...command.data, conversations: [one] },
      });
    }
  }

  async function send(command: CollectionCommand, conversations: Looked[]): Promise<void> {
    if (conversations.length === 0) return;
    const { datasetId, objective } = command.data;
    const names = conversations.map(({ conversationId }) => conversationId);
    await publisher.publish(collectionCompleted, {
      ...envelope(command, collectionCompleted, names.join('\n'), clock.now()),
      data: { datasetId, objective, conversations },
    });
  }

  async function collect(command: CollectionCommand, { signal, heartbeat }: CollectContext): Promise<void> {
    const { data, projectId } = command;
    const diagnosed = await readDiagnosed(diagnostics, command);
    const left = new Map(data.conversations.map((each) => [each.snapshotId, each]));
    const done: Looked[] = [];
    let bytes = 0;
    const add = async (looked: Looked) => {
      done.push(looked);
      bytes += Buffer.byteLength(JSON.stringify(looked));
      if (bytes < MAX_PART_BYTES) return;
      await send(command, done.splice(0));
      bytes = 0;
    };
    const call = { params: { projectId }, body: { snapshotIds: [...left.keys()] }, ...requestOf(command) };
    for await (const snapshot of warehouse.lines(readSnapshots, call, { signal })) {
      const asked = left.get(snapshot.snapshotId);
      if (asked === undefined) continue;
      left.delete(snapshot.snapshotId);
      await add(lookedAt(asked, snapshot, diagnosed.get(snapshot.conversationId), data));
      heartbeat();
      await nextTurn();
    }
    for (const gone of left.values())
      await add({ ...gone, problems: [], outcome: { status: 'refused', reason: 'conversation_gone' } });
    await send(command, done);
  }

  return async (command: CollectionCommand, context: CollectContext): Promise<void> => {
    const { attempt, unansweredDeliveries, logger } = context;
    const isSuspect = unansweredDeliveries > 0 || attempt > ATTEMPTS_TOGETHER;
    if (isSuspect && command.data.conversations.length > 1) {
      logger.warn({ attempt, unansweredDeliveries, size: command.data.conversations.length }, 'splitting a command');
      await split(command);
    } else {
      await collect(command, context);
    }
  };
}

function lookedAt(
  asked: CollectionCommand['data']['conversations'][number],
  snapshot: ConversationSnapshot,
  diagnosed: DiagnosedConversation | undefined,
  { datasetId, redaction }: CollectionCommand['data'],
): Looked {
  const outcome: Decision = preserve(snapshot, diagnosed, { datasetId, redaction });
  const problems = (diagnosed?.problems ?? []).slice(0, MAX_WATCHED_PROBLEMS);
  return {
    ...asked,
    problems: problems.map(({ findingId, severity, reviewStatus }) => ({ findingId, severity, reviewStatus })),
    outcome: outcome.status === 'refused' ? outcome : { ...outcome, examples: [...outcome.examples] },
  };
}

async function readDiagnosed(
  diagnostics: ServiceClient,
  command: CollectionCommand,
): Promise<ReadonlyMap<string, DiagnosedConversation>> {
  const { conversations } = await diagnostics.call(readDiagnosedConversations, {
    params: { projectId: command.projectId },
    body: { conversationIds: command.data.conversations.map(({ conversationId }) => conversationId) },
    ...requestOf(command),
  });
  return new Map(conversations.map((each) => [each.conversationId, each]));
}

function requestOf({ requestId }: CollectionCommand) {
  return requestId === null ? {} : { requestId };
}

/** Envelope of a message about a command: the same part gives the same id, so that it takes effect once. */
function envelope<Spec extends typeof collectionRequested | typeof collectionCompleted>(
  { id, projectId, requestId }: CollectionCommand,
  { type, version }: Spec,
  part: string,
  occurredAt: number,
) {
  return { id: `${type}:${sha256Hex([id, part].join('\n'))}`, type, version, occurredAt, projectId, requestId };
}
