import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  collectionCompleted,
  collectionRequested,
  MAX_WATCHED_PROBLEMS,
  readSnapshots,
  type CollectionSubject,
  type ConversationSnapshot,
  type DiagnosedConversation,
  type EnvelopeOf,
} from '@clew/contracts';
import { lookAtConversation, lookAtItem, type Look } from '@clew/collection';
import type { ServiceClient } from '@clew/http';
import type { Clock } from '@clew/kernel';
import type { MessageContext, Publisher } from '@clew/messaging';
import type { SuccessSignal } from '@clew/rules';
import { createPartsHandler } from '../command-parts.ts';
import { partsEnvelope, requestIdOf } from '../envelopes.ts';
import type { RecentSuccesses } from '../recent-successes.ts';
import { readDiagnosed, readItems } from './read-subjects.ts';

export interface CollectDependencies {
  warehouse: ServiceClient;
  diagnostics: ServiceClient;
  knowledge: ServiceClient;
  publisher: Publisher;
  recent: Pick<RecentSuccesses, 'noteCollecting' | 'of'>;
  clock: Clock;
}

type CollectionCommand = Pick<EnvelopeOf<typeof collectionRequested>, 'id' | 'projectId' | 'requestId' | 'data'>;
type AskedLook = CollectionCommand['data']['looks'][number];
type Looked = EnvelopeOf<typeof collectionCompleted>['data']['looks'][number];
type CollectContext = Pick<MessageContext, 'attempt' | 'unansweredDeliveries' | 'signal' | 'logger' | 'heartbeat'>;
type SubjectOf<Kind extends CollectionSubject['kind']> = Extract<CollectionSubject, { kind: Kind }>;

/** Size in bytes from which the results so far are published. */
const MAX_PART_BYTES = 1024 * 1024;

/**
 * Decides what a Dataset collects from the conversations or items of a command, and publishes it to the owner, which
 * alone writes. No model is asked.
 */
export function createCollect(dependencies: CollectDependencies) {
  const { publisher, clock } = dependencies;

  async function split(command: CollectionCommand): Promise<void> {
    for (const one of command.data.looks) {
      await publisher.publish(collectionRequested, {
        ...partsEnvelope(command, collectionRequested, [nameOf(one.subject)], clock.now()),
        data: { ...command.data, looks: [one] },
      });
    }
  }

  async function send(command: CollectionCommand, looks: Looked[]): Promise<void> {
    if (looks.length === 0) return;
    const { datasetId, objective } = command.data;
    const names = looks.map(({ subject }) => nameOf(subject));
    await publisher.publish(collectionCompleted, {
      ...partsEnvelope(command, collectionCompleted, names, clock.now()),
      data: { datasetId, objective, looks },
    });
  }

  async function work(command: CollectionCommand, { signal, heartbeat }: CollectContext): Promise<void> {
    const done: Looked[] = [];
    let bytes = 0;
    for await (const looked of looksOf(dependencies, command, signal)) {
      done.push(looked);
      bytes += Buffer.byteLength(JSON.stringify(looked));
      heartbeat();
      await nextTurn();
      if (bytes < MAX_PART_BYTES) continue;
      await send(command, done.splice(0));
      bytes = 0;
    }
    await send(command, done);
  }

  return createPartsHandler({ sizeOf: ({ data }: CollectionCommand) => data.looks.length, split, work });
}

async function* looksOf(
  dependencies: CollectDependencies,
  command: CollectionCommand,
  signal: AbortSignal,
): AsyncGenerator<Looked> {
  const { looks } = command.data;
  const ofKind = <Kind extends CollectionSubject['kind']>(kind: Kind) =>
    looks.filter((look): look is AskedLook & { subject: SubjectOf<Kind> } => look.subject.kind === kind);
  yield* looksAtConversations(dependencies, command, ofKind('conversation'), signal);
  yield* looksAtItems(dependencies, command, ofKind('item'));
}

async function* looksAtConversations(
  { warehouse, diagnostics, recent }: CollectDependencies,
  command: CollectionCommand,
  asked: readonly (AskedLook & { subject: SubjectOf<'conversation'> })[],
  aborted: AbortSignal,
): AsyncGenerator<Looked> {
  if (asked.length === 0) return;
  const { projectId, data } = command;
  const names = asked.map(({ subject }) => subject.conversationId);
  const diagnosed = await readDiagnosed(diagnostics, command, names);
  const lookedAt = (one: AskedLook, snapshot: ConversationSnapshot, signal?: SuccessSignal): Looked => {
    const known = diagnosed.get(snapshot.conversationId);
    const look = lookAtConversation(data.objective, snapshot, known, { ...data, signal });
    return { ...one, problems: watchedOf(known), outcome: outcomeOf(look) };
  };
  recent.noteCollecting(projectId);
  const left = new Map(asked.map((each) => [each.subject.snapshotId, each]));
  for (const [snapshotId, one] of left) {
    const success = recent.of(projectId, snapshotId);
    if (success === undefined) continue;
    left.delete(snapshotId);
    yield lookedAt(one, success.snapshot, success.signal);
  }
  if (left.size === 0) return;
  const call = { params: { projectId }, body: { snapshotIds: [...left.keys()] }, ...requestIdOf(command) };
  for await (const snapshot of warehouse.lines(readSnapshots, call, { signal: aborted })) {
    const one = left.get(snapshot.snapshotId);
    if (one === undefined) continue;
    left.delete(snapshot.snapshotId);
    yield lookedAt(one, snapshot);
  }
  for (const gone of left.values())
    yield { ...gone, problems: [], outcome: { status: 'refused', reason: 'conversation_gone' } };
}

async function* looksAtItems(
  { knowledge, clock }: CollectDependencies,
  command: CollectionCommand,
  asked: readonly (AskedLook & { subject: SubjectOf<'item'> })[],
): AsyncGenerator<Looked> {
  if (asked.length === 0) return;
  const { datasetId } = command.data;
  const names = asked.map(({ subject }) => subject.itemId);
  const items = await readItems(knowledge, command, names);
  for (const one of asked) {
    const look = lookAtItem(items.get(one.subject.itemId), { datasetId, nowMs: clock.now() });
    yield { ...one, problems: [], outcome: outcomeOf(look) };
  }
}

function outcomeOf(look: Look): Looked['outcome'] {
  return look.status === 'collected' ? { ...look, examples: [...look.examples] } : look;
}

function watchedOf(diagnosed: DiagnosedConversation | undefined): Looked['problems'] {
  const problems = (diagnosed?.problems ?? []).slice(0, MAX_WATCHED_PROBLEMS);
  return problems.map(({ findingId, severity, reviewStatus }) => ({ findingId, severity, reviewStatus }));
}

function nameOf(subject: CollectionSubject): string {
  return subject.kind === 'item' ? subject.itemId : subject.conversationId;
}
