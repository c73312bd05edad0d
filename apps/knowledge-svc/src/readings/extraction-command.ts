import { extractionRequested } from '@clew/contracts';
import { outboxMessage, type AnyOutboxMessage } from '@clew/persistence';
import type { StoredGoal } from '../goals/index.ts';
import type { ModelState } from '../models/index.ts';
import type { Reading } from './reading.ts';

export type AvailableModel = Extract<ModelState, { kind: 'available' }>;

/** Goal, model and limits that an extraction command carries. */
export interface AskedBy {
  goal: StoredGoal;
  state: AvailableModel;
  embeddingModel: string | null;
  minNewTokens: number;
  nowMs: number;
}

/** Builds the command to extract Knowledge from the new messages of a conversation. */
export function extractionCommand(
  reading: Reading,
  { goal, state: { model, capabilities }, embeddingModel, minNewTokens, nowMs }: AskedBy,
): AnyOutboxMessage {
  const { id: readingId, projectId, goalId, goalRevision, conversationId, snapshotId, requestId, rounds } = reading;
  return outboxMessage(extractionRequested, {
    ...{ key: `${readingId}:${rounds}`, projectId, requestId, occurredAt: nowMs },
    data: {
      ...{ readingId, goalId, goalRevision, conversationId, snapshotId, model, round: rounds },
      instruction: goal.instruction,
      capabilities: capabilities && {
        jsonMode: capabilities.jsonMode,
        jsonSchema: capabilities.jsonSchema,
        contextLength: capabilities.contextLength,
        judgement: capabilities.judgement,
      },
      ...{ embeddingModel, alreadyRead: reading.read, minNewTokens },
    },
  });
}
