import type { Connection, Model } from 'mongoose';
import { apiKeyModel, type ApiKeyDocument } from './api-key.model.ts';

/** Ends keys no later than those that made them, makers before what they made; safe to repeat. */
export async function capExpiries(connection: Connection): Promise<void> {
  const keys = apiKeyModel(connection);
  const made = keys.find({ createdBy: /^key_/ }).sort({ createdAt: 1, _id: 1 }).lean();
  for await (const { _id, hash, createdBy } of made.cursor()) {
    const end = await givenExpiry(keys, createdBy);
    if (end === null) continue;
    const later = { $or: [{ expiresAt: null }, { expiresAt: { $gt: end } }] };
    await keys.updateOne({ hash, _id, ...later }, { $set: { expiresAt: end } });
  }
}

/** A rotated key ends with its grace time; its last successor has the expiry that it was given. */
async function givenExpiry(keys: Model<ApiKeyDocument>, keyId: string): Promise<number | null> {
  let key = await keys.findById(keyId).lean();
  while (key !== null && key.rotatedTo !== null) key = await keys.findById(key.rotatedTo).lean();
  return key?.expiresAt ?? null;
}
