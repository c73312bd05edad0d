import { zstdDecompressSync } from 'node:zlib';
import type { Binary, Db, Document, MongoClient } from 'mongodb';

const BATCH = 500;
const WRITE_CONCERN = { w: 'majority', journal: true } as const;
const COLLECTIONS = ['spans', 'contents'] as const;

/** Spans of one project as two documents each, by collection. */
export type SpanDocuments = Record<(typeof COLLECTIONS)[number], Document[]>;

interface Fragment {
  _id: string;
  projectId: string;
  traceId: string;
  facts: string;
}

/** Stored spans of a project, as a store would hold them that keeps each span, and its content, in its own document. */
export async function readDocuments(telemetry: Db, projectId: string): Promise<SpanDocuments> {
  const contents = telemetry.collection<{ _id: string; body: Binary }>('fragment_contents');
  const documents: SpanDocuments = { spans: [], contents: [] };
  for await (const fragment of telemetry.collection<Fragment>('trace_fragments').find({ projectId })) {
    const content = await contents.findOne({ _id: fragment._id });
    if (content !== null) addDocuments(documents, fragment, zstdDecompressSync(content.body.value()).toString());
  }
  return documents;
}

function addDocuments(documents: SpanDocuments, { projectId, traceId, facts }: Fragment, content: string): void {
  const said = (JSON.parse(content) as { spans: unknown[] }).spans;
  (JSON.parse(facts) as { spans: { spanId: string }[] }).spans.forEach((fact, index) => {
    const _id = `${projectId}:${traceId}:${fact.spanId}`;
    documents.spans.push({ _id, projectId, traceId, ...fact });
    documents.contents.push({ _id, projectId, body: JSON.stringify(said[index]) });
  });
}

/** Upserts the documents in bulk into empty collections; returns the duration. */
export async function upsertRaw(client: MongoClient, documents: SpanDocuments): Promise<{ elapsedMs: number }> {
  const scratch = client.db(`bench_raw_${process.pid}`);
  await scratch.dropDatabase();
  for (const name of COLLECTIONS) await scratch.createCollection(name);
  const startedAtMs = performance.now();
  await Promise.all(
    COLLECTIONS.map(async (name) => {
      const collection = scratch.collection(name);
      for (let start = 0; start < documents[name].length; start += BATCH) {
        const operations = documents[name].slice(start, start + BATCH).map(({ _id, ...fields }) => ({
          updateOne: { filter: { _id }, update: { $setOnInsert: fields }, upsert: true },
        }));
        await collection.bulkWrite(operations, { ordered: false, writeConcern: WRITE_CONCERN });
      }
    }),
  );
  const elapsedMs = performance.now() - startedAtMs;
  await scratch.dropDatabase();
  return { elapsedMs };
}
