import { randomBytes } from 'node:crypto';
import {
  DEFAULT_MASKING,
  type ContentCapture,
  type MaskingChange,
  type MaskingSettings,
  type PrivacySettings,
  type ProjectPrivacy,
} from '@clew/contracts';
import { nativeDb, type Database, type Transaction } from '@clew/persistence';
import type { Connection, mongo } from 'mongoose';

/** Collection of the settings of projects, which holds those of retention, too. */
export const SETTINGS_COLLECTION = 'settings';

interface PrivacyDocument {
  _id: string;
  masking?: MaskingSettings;
  contentCapture?: ContentCapture;
  /** True while anything is masked or left out. */
  private?: boolean;
  /** Secret of the project, made with its first change of privacy; it stays, so that ids stay the same. */
  privacySalt?: string;
  updatedAt: number;
}

export interface PrivacyChange {
  masking?: MaskingChange | undefined;
  contentCapture?: ContentCapture | undefined;
}

export interface PrivacyStore {
  /** Returns the privacy settings of a project; undefined if nothing is masked or left out. */
  find(projectId: string): Promise<PrivacySettings | undefined>;
  /** Returns the projects that mask or leave out, by id, after the given one. */
  list(after: string | undefined, limit: number): Promise<ProjectPrivacy[]>;
  /** Merges a change into the settings of a project. */
  change(tx: Transaction, projectId: string, change: PrivacyChange, nowMs: number): Promise<void>;
}

const SALT_BYTES = 32;

export function createPrivacyStore({ connection }: Pick<Database, 'connection'>): PrivacyStore {
  const collection = settingsCollection(connection);
  return {
    async find(projectId) {
      const found = await collection.findOne({ _id: projectId });
      return found?.private === true ? privacyOf(found) : undefined;
    },
    async list(after, limit) {
      const found = await collection
        .find({ private: true, ...(after === undefined ? {} : { _id: { $gt: after } }) })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
      return found.map((document) => ({ projectId: document._id, privacy: privacyOf(document) }));
    },
    async change(tx, projectId, change, nowMs) {
      const held = await collection.findOne({ _id: projectId }, { session: tx });
      const masking = mergedMasking(held?.masking ?? DEFAULT_MASKING, change.masking ?? {});
      const contentCapture = change.contentCapture ?? held?.contentCapture ?? 'full';
      await collection.updateOne(
        { _id: projectId },
        {
          $set: {
            ...{ masking, contentCapture, private: masking.enabled || contentCapture !== 'full', updatedAt: nowMs },
            privacySalt: held?.privacySalt ?? randomBytes(SALT_BYTES).toString('base64url'),
          },
        },
        { upsert: true, session: tx },
      );
    },
  };
}

/** Creates the index of the projects that mask or leave out. */
export async function ensurePrivacyIndex(connection: Connection): Promise<void> {
  await settingsCollection(connection).createIndex(
    { private: 1, _id: 1 },
    { name: 'private', partialFilterExpression: { private: true } },
  );
}

function settingsCollection(connection: Connection): mongo.Collection<PrivacyDocument> {
  return nativeDb(connection).collection<PrivacyDocument>(SETTINGS_COLLECTION);
}

function privacyOf({
  masking = DEFAULT_MASKING,
  contentCapture = 'full',
  privacySalt = '',
}: PrivacyDocument): PrivacySettings {
  return { masking: mergedMasking(DEFAULT_MASKING, masking), contentCapture, salt: privacySalt };
}

function mergedMasking(held: MaskingSettings, { builtIn, ...change }: MaskingChange): MaskingSettings {
  const given = Object.entries({ ...change }).filter(([, value]) => value !== undefined);
  const categories = Object.entries({ ...builtIn }).filter(([, value]) => value !== undefined);
  return {
    ...held,
    ...Object.fromEntries(given),
    builtIn: { ...held.builtIn, ...Object.fromEntries(categories) },
  };
}
