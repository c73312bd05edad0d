import { extractionRequested } from '@clew/contracts';
import { outboxMessage, type AnyOutboxMessage } from '@clew/persistence';
import type { StoredGoal } from '../goals/index.ts';
import type { ModelState } from '../models/index.ts';
import type { Extraction } from './extraction.ts';
import { withRead } from './ledger.ts';

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
  extraction: Extraction,
  { goal, state: { model, capabilities }, embeddingModel, minNewTokens, nowMs }: AskedBy,
): AnyOutboxMessage {
  const {
    id: extractionId,
    projectId,
    goalId,
    goalRevision,
    conversationId,
    snapshotId,
    requestId,
    rounds,
  } = extraction;
  return outboxMessage(extractionRequested, {
    ...{ key: `${extractionId}:${rounds}`, projectId, requestId, occurredAt: nowMs },
    data: {
      ...{ extractionId, goalId, goalRevision, conversationId, snapshotId, model, round: rounds },
      instruction: goal.instruction,
      capabilities: capabilities && {
        jsonMode: capabilities.jsonMode,
        jsonSchema: capabilities.jsonSchema,
        contextLength: capabilities.contextLength,
        judgement: capabilities.judgement,
      },
      ...{ embeddingModel, minNewTokens, sources: goal.sources },
      alreadyRead: withRead(extraction.read, goal.readPrompts),
    },
  });
}
