import { spansReceived, type Envelope, type EnvelopeOf } from '@clew/contracts';
import { newId } from '@clew/kernel';
import type { Publisher } from '@clew/messaging';
import type { Database, Outbox } from '@clew/persistence';
import type { FinishedCall } from './finished-call.ts';
import { toTelemetry } from './to-span.ts';

type SpansMessage = EnvelopeOf<typeof spansReceived>;

/** Puts calls on the path that telemetry takes. Resolves once they are on disk, in the broker or in the outbox. */
export type PublishCalls = (calls: readonly RecordedCall[]) => Promise<void>;

export interface RecordedCall {
  call: FinishedCall;
  conversationId: string | undefined;
}

export interface SpanPublisherDependencies {
  publisher: Pick<Publisher, 'publish'>;
  database: Pick<Database, 'withTransaction'>;
  outbox: Outbox;
}

/**
 * The broker takes them directly; while it is away they wait in the outbox. All of them through the outbox would store
 * every conversation a second time, for days.
 */
export function createSpanPublisher({ publisher, database, outbox }: SpanPublisherDependencies): PublishCalls {
  return async (calls) => {
    const messages = calls.map(messageOf);
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

function messageOf({ call, conversationId }: RecordedCall): SpansMessage {
  const envelope: Envelope<SpansMessage['data']> = {
    id: newId('evt'),
    type: spansReceived.type,
    version: spansReceived.version,
    occurredAt: call.endedAtMs,
    projectId: call.projectId,
    requestId: call.requestId,
    data: { receivedAt: call.endedAtMs, groups: [toTelemetry(call, conversationId)] },
  };
  return envelope;
}
