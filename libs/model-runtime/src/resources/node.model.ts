import { Schema, type Connection, type Model } from 'mongoose';
import type { RuntimeNode } from '@clew/contracts';
import { modelOf, type Database } from '@clew/persistence';

/** Time without a heartbeat after which a node counts as away. */
export const AWAY_AFTER_MS = 15_000;

/** Facts that a node's agent reports periodically. */
export type NodeFacts = Pick<RuntimeNode, 'memory' | 'disk' | 'gpus'>;

type NodeDocument = NodeFacts & {
  _id: string;
  /** Number that grows with each agent that claims the node. */
  epoch: number;
  lastSeenAt: number;
};

const mixed = { type: Schema.Types.Mixed, default: null } as const;

const nodeSchema = new Schema<NodeDocument>(
  {
    _id: { type: String, required: true },
    epoch: { type: Number, required: true },
    lastSeenAt: { type: Number, required: true },
    memory: mixed,
    disk: mixed,
    gpus: { type: Schema.Types.Mixed, default: [] },
  },
  { collection: 'runtime_nodes', versionKey: false, minimize: false },
);

export function nodeModel(connection: Connection): Model<NodeDocument> {
  return modelOf(connection, 'RuntimeNode', nodeSchema);
}

export interface NodeStore {
  get(node: string): Promise<(NodeFacts & { lastSeenAt: number }) | undefined>;
  /** Registers a new incarnation of the node's agent; writes of earlier ones have no effect any more. */
  nextEpoch(node: string, nowMs: number): Promise<number>;
  heartbeat(node: string, epoch: number, facts: NodeFacts, nowMs: number): Promise<void>;
}

export function createNodeStore(database: Database): NodeStore {
  const model = nodeModel(database.connection);
  return {
    async get(node) {
      return (await model.findOne({ _id: node }).lean()) ?? undefined;
    },
    async nextEpoch(node, nowMs) {
      const document = await model
        .findOneAndUpdate(
          { _id: node },
          { $inc: { epoch: 1 }, $set: { lastSeenAt: nowMs } },
          { upsert: true, returnDocument: 'after' },
        )
        .lean();
      return document.epoch;
    },
    async heartbeat(node, epoch, facts, nowMs) {
      await model.updateOne({ _id: node, epoch }, { $set: { ...facts, lastSeenAt: nowMs } });
    },
  };
}
