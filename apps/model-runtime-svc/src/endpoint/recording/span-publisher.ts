import { spansReceived, type Envelope, type EnvelopeOf } from '@clew/contracts';
import { inParts, newId } from '@clew/kernel';
import type { Publisher } from '@clew/messaging';
import type { Database, Outbox } from '@clew/persistence';
import { bytesOf, type RecordedCall } from './finished-call.ts';
import { toTelemetry } from './to-span.ts';

type SpansMessage = EnvelopeOf<typeof spansReceived>;

/** Publishes calls as telemetry. Resolves when they are on disk, in the broker or in the outbox. */
export type PublishCalls = (calls: readonly RecordedCall[]) => Promise<void>;

/** Size beyond which calls are split into several messages; a single call may be larger. */
export const MAX_PART_BYTES = 1024 * 1024;

export interface SpanPublisherDependencies {
  publisher: Pick<Publisher, 'publish'>;
  /** Takes out of a message what its project does not want to be stored. */
  protect(message: SpansMessage): Promise<SpansMessage>;
  database: Pick<Database, 'withTransaction'>;
  outbox: Outbox;
}

/**
 * Publishes calls directly to the broker; while it is away, they wait in the outbox. Sending all of them through the
 * outbox would store every conversation a second time, for days.
 */
export function createSpanPublisher({ publisher, database, outbox, protect }: SpanPublisherDependencies): PublishCalls {
  return async (calls) => {
    const messages = await Promise.all(messagesOf(calls).map(protect));
    const sent = await Promise.allSettled(messages.map((message) => publisher.publish(spansReceived, message)));
    const unsent = messages.filter((_message, index) => sent[index]?.status === 'rejected');
    if (unsent.length === 0) return;
    await database.withTransaction(async (tx) => {
      for (const { projectId, requestId, data, occurredAt, id } of unsent) {
        await outbox.append(tx, spansReceived, { key: id, projectId, requestId, data, occurredAt });
      }
    });
  };
}

/** Groups the calls of each project: a message costs the broker about the same, whatever its size. */
export function messagesOf(calls: readonly RecordedCall[]): SpansMessage[] {
  const ofProjects = Map.groupBy(calls, ({ call }) => call.projectId).values();
  return [...ofProjects].flatMap((ofProject) =>
    inParts(ofProject, ({ call }) => bytesOf(call), MAX_PART_BYTES).map(messageOf),
  );
}

function messageOf(calls: readonly RecordedCall[]): SpansMessage {
  const { call } = calls[0] as RecordedCall;
  const lastEndedAtMs = Math.max(...calls.map(({ call: { endedAtMs } }) => endedAtMs));
  const envelope: Envelope<SpansMessage['data']> = {
    id: newId('evt'),
    type: spansReceived.type,
    version: spansReceived.version,
    occurredAt: lastEndedAtMs,
    projectId: call.projectId,
    // Id of the first call's request; each span names its own.
    requestId: call.requestId,
    data: { receivedAt: lastEndedAtMs, groups: [toTelemetry(calls)] },
  };
  return envelope;
}
