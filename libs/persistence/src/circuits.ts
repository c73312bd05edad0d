import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { passageOf, tried, afterTimeout, type Circuit, type Passage } from './circuit.ts';
import { nativeDb, type Database, type Transaction } from './database.ts';
import { modelOf } from './model.ts';

/**
 * Circuit breakers of all providers that a service calls, by key: all its processes share what one of them finds out. A
 * key begins with its project, `<project>/...`, so that it is erased with the project.
 */
export interface Circuits {
  /** Tells which calls may be made, by key; every key has an entry. */
  passages(tx: Transaction, keys: readonly string[], nowMs: number): Promise<ReadonlyMap<string, Passage>>;
  /** Tells whether any circuit of the project is open. */
  isAnyOpen(projectId: string, nowMs: number): Promise<boolean>;
  /** Records that the trial call is made. */
  tried(tx: Transaction, key: string, nowMs: number): Promise<void>;
  /** Records this number of consecutive timeouts. */
  timedOut(tx: Transaction, key: string, times: number, nowMs: number): Promise<void>;
  /** Records an answer; tells whether the circuit had been open, so that the provider may be called again. */
  answered(tx: Transaction, key: string): Promise<boolean>;
}

type CircuitDocument = Circuit & { _id: string };

const circuitSchema = new Schema<CircuitDocument>(
  {
    _id: { type: String, required: true },
    timeouts: { type: Number, required: true },
    opened: { type: Number, required: true },
    openUntil: Number,
  },
  { collection: 'circuits', versionKey: false },
);

export function circuitModel(connection: Connection): Model<CircuitDocument> {
  return modelOf(connection, 'Circuit', circuitSchema);
}

export function createCircuits({ connection }: Pick<Database, 'connection'>): Circuits {
  const circuits: mongo.Collection<CircuitDocument> = nativeDb(connection).collection(
    circuitModel(connection).collection.name,
  );

  async function find(tx: Transaction, keys: readonly string[]): Promise<ReadonlyMap<string, Circuit>> {
    if (keys.length === 0) return new Map();
    const found = await circuits.find({ _id: { $in: [...keys] } }, { session: tx }).toArray();
    return new Map(found.map(({ _id, ...circuit }) => [_id, circuit]));
  }

  async function save(tx: Transaction, key: string, circuit: Circuit): Promise<void> {
    await circuits.updateOne({ _id: key }, { $set: circuit }, { session: tx, upsert: true });
  }

  return {
    async passages(tx, keys, nowMs) {
      const known = await find(tx, keys);
      return new Map(keys.map((key) => [key, passageOf(known.get(key), nowMs)]));
    },
    async isAnyOpen(projectId, nowMs) {
      const ofProject = { $gte: `${projectId}/`, $lt: `${projectId}0` };
      return (await circuits.findOne({ _id: ofProject, openUntil: { $gt: nowMs } })) !== null;
    },
    async tried(tx, key, nowMs) {
      const circuit = (await find(tx, [key])).get(key);
      if (circuit !== undefined) await save(tx, key, tried(circuit, nowMs));
    },
    async timedOut(tx, key, times, nowMs) {
      let circuit = (await find(tx, [key])).get(key);
      for (let time = 0; time < times; time += 1) circuit = afterTimeout(circuit, nowMs);
      if (circuit !== undefined) await save(tx, key, circuit);
    },
    async answered(tx, key) {
      const circuit = await circuits.findOneAndDelete({ _id: key }, { session: tx });
      return circuit?.openUntil != null;
    },
  };
}
