import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { modelOf, nativeDb } from '@clew/persistence';
import type { RuleSetting } from './rule-setting.ts';

/** Stored setting; `_id` is `<project>:<rule>`. */
export interface RuleDocument extends RuleSetting {
  _id: string;
  updatedAt: number;
}

const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;

const ruleSchema = new Schema<RuleDocument>(
  {
    ...{ _id: text, projectId: text, ruleId: text, revision: number, updatedAt: number },
    enabled: { type: Boolean, required: true },
    configuration: { type: Schema.Types.Mixed, required: true },
  },
  { collection: 'rules', versionKey: false, minimize: false },
);
ruleSchema.index({ projectId: 1 });

export function ruleModel(connection: Connection): Model<RuleDocument> {
  return modelOf(connection, 'Rule', ruleSchema);
}

export function ruleCollection(connection: Connection): mongo.Collection<RuleDocument> {
  return nativeDb(connection).collection(ruleModel(connection).collection.name);
}
