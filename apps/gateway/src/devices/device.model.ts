import { Schema, type Connection, type Model } from 'mongoose';
import { modelOf } from '@clew/persistence';
import type { StoredDevice } from './device.ts';

export type DeviceDocument = Omit<StoredDevice, 'hash'> & {
  _id: string;
  /** Time at which the database removes it: somewhat after its end, so that a device hears of that. */
  purgeAt: Date;
};

const KEPT_MS = 60 * 60 * 1_000;

const deviceSchema = new Schema<DeviceDocument>(
  {
    _id: { type: String, required: true },
    userCodeHash: { type: String, required: true },
    name: { type: String, required: true },
    address: { type: String, default: null },
    blockHash: { type: String, required: true },
    state: { type: String, required: true },
    userId: { type: String, default: null },
    projectId: { type: String, default: null },
    intervalMs: { type: Number, required: true },
    lastAskedAt: { type: Number, default: null },
    createdAt: { type: Number, required: true },
    expiresAt: { type: Number, required: true },
    purgeAt: { type: Date, required: true },
  },
  { collection: 'devices', versionKey: false },
);
deviceSchema.index({ userCodeHash: 1 }, { unique: true });
deviceSchema.index({ blockHash: 1, state: 1, expiresAt: 1 });
deviceSchema.index({ purgeAt: 1 }, { expireAfterSeconds: 0 });

export function deviceModel(connection: Connection): Model<DeviceDocument> {
  return modelOf(connection, 'Device', deviceSchema);
}

export function toDeviceDocument({ hash, ...rest }: StoredDevice): DeviceDocument {
  return { _id: hash, ...rest, purgeAt: new Date(rest.expiresAt + KEPT_MS) };
}

export function fromDeviceDocument({ _id, purgeAt: _purgeAt, ...rest }: DeviceDocument): StoredDevice {
  return { hash: _id, ...rest };
}
