import type { Connection, mongo } from 'mongoose';
import { exampleCollection, type ExampleDocument } from './example.model.ts';
import { exampleTerms } from './example-terms.ts';
import { contentOf, soughtFields } from './example.ts';

const BATCH = 500;

/** Gives Examples that were stored without them the fields by which lists find them. Safe to repeat. */
export async function addSoughtFields(connection: Connection): Promise<void> {
  const examples = exampleCollection({ connection });
  let writes: mongo.AnyBulkWriteOperation<ExampleDocument>[] = [];
  const save = async () => {
    if (writes.length > 0) await examples.bulkWrite(writes, { ordered: false });
    writes = [];
  };
  for await (const { _id, body } of examples.find({ facets: { $exists: false } }, { projection: { body: 1 } })) {
    const { source, tags, payload } = contentOf({ body });
    const sought = soughtFields({ source, tags, terms: exampleTerms(payload) });
    writes.push({ updateOne: { filter: { _id, body }, update: { $set: sought } } });
    if (writes.length === BATCH) await save();
  }
  await save();
}
