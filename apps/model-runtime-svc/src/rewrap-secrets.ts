import { nativeDb, type Database } from '@clew/persistence';
import { SecretEnvelope, SecretUnreadableError, type SecretBox, type SecretPlace } from '@clew/secrets';
import { HUB_TOKENS_COLLECTION, hubTokenPlace } from '@clew/model-runtime';
import { providerKeyPlace, PROVIDERS_COLLECTION } from './endpoint/index.ts';

export interface RewrapReport {
  rewrapped: number;
  /** Number stored under a secret that is neither the present nor the previous one; they stay as they are. */
  unreadable: number;
}

interface StoredDocument {
  _id: string;
  projectId?: string;
  name?: string;
  [field: string]: unknown;
}

/** Collections and fields that hold secrets, and the location to which each is bound. */
const KEPT: readonly { collection: string; field: string; placeOf: (document: StoredDocument) => SecretPlace }[] = [
  {
    collection: PROVIDERS_COLLECTION,
    field: 'apiKey',
    placeOf: ({ projectId = '', name = '' }) => providerKeyPlace(projectId, name),
  },
  { collection: HUB_TOKENS_COLLECTION, field: 'token', placeOf: ({ _id }) => hubTokenPlace(_id) },
];
const PAGE_SIZE = 200;

/**
 * Wraps every stored credential with the present key. An interrupted run keeps its progress, and the next one continues
 * with the rest. Services may run meanwhile, as long as they know both secrets.
 */
export async function rewrapSecrets(database: Database, box: SecretBox): Promise<RewrapReport> {
  const report: RewrapReport = { rewrapped: 0, unreadable: 0 };
  for (const kept of KEPT) {
    const collection = nativeDb(database.connection).collection<StoredDocument>(kept.collection);
    const kid = `${kept.field}.kid`;
    let after = '';
    for (;;) {
      const page = await collection
        .find({ _id: { $gt: after }, [kid]: { $exists: true, $ne: box.keyId } })
        .sort({ _id: 1 })
        .limit(PAGE_SIZE)
        .toArray();
      for (const document of page) {
        const before = SecretEnvelope.parse(document[kept.field]);
        const anew = rewrapped(box, before, kept.placeOf(document));
        if (anew === undefined) {
          report.unreadable += 1;
          continue;
        }
        // A credential replaced meanwhile is already under the present key.
        const unchanged = { _id: document._id, [kid]: before.kid, [`${kept.field}.ct`]: before.ct };
        const { modifiedCount } = await collection.updateOne(unchanged, { $set: { [kept.field]: anew } });
        report.rewrapped += modifiedCount;
      }
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE_SIZE) break;
      after = last._id;
    }
  }
  return report;
}

function rewrapped(box: SecretBox, envelope: SecretEnvelope, place: SecretPlace): SecretEnvelope | undefined {
  try {
    return box.rewrap(envelope, place);
  } catch (error) {
    if (error instanceof SecretUnreadableError) return undefined;
    throw error;
  }
}
