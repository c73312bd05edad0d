import { Schema, type Connection, type Model } from 'mongoose';
import type { DayUsage } from '@clew/contracts';
import { modelOf } from '@clew/persistence';

/** `_id` is `<project>:<day>:<model>:<operation>:<origin>`. */
export type UsageDocument = DayUsage & { _id: string; projectId: string };

const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;

const usageSchema = new Schema<UsageDocument>(
  {
    _id: text,
    projectId: text,
    day: text,
    model: text,
    operation: text,
    origin: text,
    calls: number,
    failedCalls: number,
    inputTokens: number,
    outputTokens: number,
  },
  { collection: 'usage', versionKey: false },
);
usageSchema.index({ projectId: 1, day: -1, _id: -1 });

export function usageModel(connection: Connection): Model<UsageDocument> {
  return modelOf(connection, 'Usage', usageSchema);
}

/** Tokens of a project's day, of all models together; `_id` is `<project>:<day>:<origin>`. */
export interface DayTokensDocument {
  _id: string;
  projectId: string;
  day: string;
  origin: DayUsage['origin'];
  tokens: number;
}

const dayTokensSchema = new Schema<DayTokensDocument>(
  { _id: text, projectId: text, day: text, origin: text, tokens: number },
  { collection: 'usage_days', versionKey: false },
);

export function dayTokensModel(connection: Connection): Model<DayTokensDocument> {
  return modelOf(connection, 'DayTokens', dayTokensSchema);
}
