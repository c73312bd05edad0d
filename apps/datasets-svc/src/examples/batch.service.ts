import { CONVERSATION_ID_IS_REQUIRED, NewExample, type Example } from '@clew/contracts';
import { errorBody, type AppError, type ErrorDetail } from '@clew/kernel';
import { invalid } from '@clew/http';
import type { Transaction } from '@clew/persistence';
import type { ExampleUpserts, UpsertOptions, UpsertOutcome } from './example-upserts.ts';
import { draftExample, exampleView, UnfitExampleError, type DatasetKey, type ExampleDraft } from './example.ts';

/** Answer for one entry of a partial batch. */
export interface BatchResult {
  index: number;
  id?: string;
  outcome?: Exclude<UpsertOutcome['outcome'], 'refused'>;
  error?: Omit<ReturnType<typeof errorBody>, 'requestId' | 'details'> & { details?: ErrorDetail[] };
}

/** Entry that can be written, or the reasons why it cannot. */
type ReadEntry = { draft: ExampleDraft } | { details: ErrorDetail[] };

export type BatchService = ReturnType<typeof createBatchService>;

export function createBatchService(upserts: ExampleUpserts) {
  return {
    /** Writes all entries or none. */
    async createAll(
      key: DatasetKey,
      entries: readonly unknown[],
      options: UpsertOptions,
      inTransaction: (tx: Transaction, examples: Example[]) => Promise<void>,
    ): Promise<Example[]> {
      const read = entries.map(readEntry);
      const details = read.flatMap((entry, index) => ('details' in entry ? inBody(entry.details, index) : []));
      if (details.length > 0) throw invalid('VALIDATION_FAILED', details, [CONVERSATION_ID_IS_REQUIRED]);
      const drafts = read.flatMap((entry) => ('draft' in entry ? entry.draft : []));
      let examples: Example[] = [];
      await upserts.upsert(key, drafts, options, async (tx, outcomes) => {
        examples = acceptedOf(outcomes);
        await inTransaction(tx, examples);
      });
      return examples;
    },

    /** Writes each entry on its own. */
    async createSome(
      key: DatasetKey,
      entries: readonly unknown[],
      options: UpsertOptions,
      inTransaction: (tx: Transaction, results: BatchResult[]) => Promise<void>,
    ): Promise<BatchResult[]> {
      const read = entries.map(readEntry);
      const drafts = read.flatMap((entry) => ('draft' in entry ? entry.draft : []));
      let results: BatchResult[] = [];
      await upserts.upsert(key, drafts, options, async (tx, upserted) => {
        results = resultsOf(read, upserted);
        await inTransaction(tx, results);
      });
      return results;
    },
  };
}

function readEntry(entry: unknown): ReadEntry {
  const parsed = NewExample.safeParse(entry);
  if (!parsed.success) {
    return { details: parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })) };
  }
  try {
    return { draft: draftExample(parsed.data) };
  } catch (error) {
    if (error instanceof UnfitExampleError) return { details: [error.detail] };
    throw error;
  }
}

function inBody(details: readonly ErrorDetail[], index: number): ErrorDetail[] {
  return details.map(({ path, message }) => ({
    path: ['body.examples', String(index), ...(path === '' ? [] : [path])].join('.'),
    message,
  }));
}

function acceptedOf(outcomes: readonly UpsertOutcome[]): Example[] {
  const details = outcomes.flatMap((each, index) => (each.outcome === 'refused' ? [conflictAt(index, each)] : []));
  if (details.length > 0) throw invalid('CONFLICT', details);
  return outcomes.flatMap((each) => (each.outcome === 'refused' ? [] : exampleView(each.example)));
}

function resultsOf(read: readonly ReadEntry[], upserted: readonly UpsertOutcome[]): BatchResult[] {
  const left = upserted[Symbol.iterator]();
  return read.map((entry, index) => {
    if ('details' in entry) {
      return refused(index, invalid('VALIDATION_FAILED', inBody(entry.details, index), [CONVERSATION_ID_IS_REQUIRED]));
    }
    const each = left.next().value;
    if (each === undefined) throw new Error('Every entry that is fit has an outcome');
    if (each.outcome === 'refused') return refused(index, invalid('CONFLICT', [conflictAt(index, each)]));
    return { index, id: each.example.id, outcome: each.outcome };
  });
}

function conflictAt(index: number, { reason }: { reason: string }): ErrorDetail {
  return { path: `body.examples.${index}.source.derivationKey`, message: reason };
}

function refused(index: number, error: AppError): BatchResult {
  const { requestId: _requestId, details, ...body } = errorBody(error, '');
  return { index, error: { ...body, ...(details === undefined ? {} : { details: [...details] }) } };
}
