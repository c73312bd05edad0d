import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { modelOf } from '@clew/persistence';
import type { CountedRow } from './usage-rows.ts';

/** Use of a model by a key, a person or a service on a day; `_id` is `<project>:<day>:<model>:<key>`. */
export interface UsageRowDocument extends Omit<CountedRow, 'costs'> {
  _id: string;
  /** Cost by currency, as it was when the calls were made. */
  costs?: Record<string, mongo.Decimal128>;
}

const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;

const usageRowSchema = new Schema<UsageRowDocument>(
  {
    ...{ _id: text, projectId: text, day: text, model: text, key: text },
    ...{ calls: number, failedCalls: number, inputTokens: number, outputTokens: number, unpricedTokens: number },
    costs: { type: Schema.Types.Mixed, default: undefined },
  },
  { collection: 'usage_rows', versionKey: false },
);
usageRowSchema.index({ projectId: 1, day: 1 });

export function usageRowModel(connection: Connection): Model<UsageRowDocument> {
  return modelOf(connection, 'UsageRow', usageRowSchema);
}
