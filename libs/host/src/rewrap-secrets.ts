import { nativeDb, type Database } from '@clew/persistence';
import { SecretEnvelope, SecretUnreadableError, type SecretBox, type SecretPlace } from '@clew/secrets';

export interface RewrapReport {
  rewrapped: number;
  /** Number stored under a secret that is neither the present nor the previous one; they stay as they are. */
  unreadable: number;
}

/** Document with secrets; its fields are those of its collection. */
export interface SecretDocument {
  _id: string;
  projectId?: string;
  [field: string]: unknown;
}

/** Field of a collection that holds a secret, and the place to which each secret in it is bound. */
export interface StoredSecrets {
  collection: string;
  /** Path of the field, with dots. */
  field: string;
  placeOf: (document: SecretDocument) => SecretPlace;
}

const PAGE_SIZE = 200;

/**
 * Wraps every stored credential with the present key. An interrupted run keeps its progress, and the next one continues
 * with the rest. Services may run meanwhile, as long as they know both secrets.
 */
export async function rewrapSecrets(
  database: Database,
  box: SecretBox,
  stored: readonly StoredSecrets[],
): Promise<RewrapReport> {
  const report: RewrapReport = { rewrapped: 0, unreadable: 0 };
  for (const each of stored) await rewrapField(database, box, each, report);
  return report;
}

async function rewrapField(
  database: Database,
  box: SecretBox,
  { collection: name, field, placeOf }: StoredSecrets,
  report: RewrapReport,
): Promise<void> {
  const collection = nativeDb(database.connection).collection<SecretDocument>(name);
  const kid = `${field}.kid`;
  for (let after: string | undefined = ''; after !== undefined;) {
    const page: SecretDocument[] = await collection
      .find({ _id: { $gt: after }, [kid]: { $exists: true, $ne: box.keyId } })
      .sort({ _id: 1 })
      .limit(PAGE_SIZE)
      .toArray();
    for (const document of page) {
      const before = SecretEnvelope.parse(valueAt(document, field));
      const anew = rewrapped(box, before, placeOf(document));
      if (anew === undefined) {
        report.unreadable += 1;
        continue;
      }
      // A credential replaced meanwhile is already under the present key.
      const unchanged = { _id: document._id, [kid]: before.kid, [`${field}.ct`]: before.ct };
      const { modifiedCount } = await collection.updateOne(unchanged, { $set: { [field]: anew } });
      report.rewrapped += modifiedCount;
    }
    after = page.length < PAGE_SIZE ? undefined : page.at(-1)?._id;
  }
}

function valueAt(document: SecretDocument, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], document);
}

function rewrapped(box: SecretBox, envelope: SecretEnvelope, place: SecretPlace): SecretEnvelope | undefined {
  try {
    return box.rewrap(envelope, place);
  } catch (error) {
    if (error instanceof SecretUnreadableError) return undefined;
    throw error;
  }
}
