import type { Database, Transaction } from '@clew/persistence';
import type { StoredDevice } from './device.ts';
import { deviceModel, fromDeviceDocument, toDeviceDocument } from './device.model.ts';

export interface DeviceStore {
  /** Inserts a device; a second one with the same user code fails on the unique index (`isDuplicateKey`). */
  insert(device: StoredDevice): Promise<void>;
  get(hash: string, tx?: Transaction): Promise<StoredDevice | undefined>;
  findByUserCode(userCodeHash: string, tx?: Transaction): Promise<StoredDevice | undefined>;
  /** Stores a device as it is now. Two changes at the same moment conflict, and the second transaction runs again. */
  put(tx: Transaction, device: StoredDevice): Promise<void>;
  /** Counts the devices that wait and were asked for from a block of addresses, up to a limit. */
  countWaiting(blockHash: string, nowMs: number, limit: number): Promise<number>;
}

export function createDeviceStore(database: Database): DeviceStore {
  const model = deviceModel(database.connection);
  return {
    async insert(device) {
      await model.create([toDeviceDocument(device)]);
    },
    async get(hash, tx) {
      const document = await model
        .findById(hash)
        .session(tx ?? null)
        .lean();
      return document === null ? undefined : fromDeviceDocument(document);
    },
    async findByUserCode(userCodeHash, tx) {
      const document = await model
        .findOne({ userCodeHash })
        .session(tx ?? null)
        .lean();
      return document === null ? undefined : fromDeviceDocument(document);
    },
    async put(tx, device) {
      const { _id, ...fields } = toDeviceDocument(device);
      await model.updateOne({ _id }, { $set: fields }).session(tx);
    },
    countWaiting: (blockHash, nowMs, limit) =>
      model.countDocuments({ blockHash, state: 'pending', expiresAt: { $gt: nowMs } }).limit(limit),
  };
}
