import { MAX_TAGS, type ExamplesChange, type NewExample } from '@clew/contracts';
import { AppError, errorBody, notFound, type ErrorDetail } from '@clew/kernel';
import type { Transaction } from '@clew/persistence';
import type { ExampleChanges, ExampleWork } from './example-changes.ts';
import { contentOf, type DatasetKey, type StoredExample } from './example.ts';
import type { ExampleStore } from './examples.store.ts';
import { fitDraft, unfit } from './fit-draft.ts';

export interface UpdateExamplesDependencies {
  changes: ExampleChanges;
  examples: Pick<ExampleStore, 'getMany' | 'wasDeleted'>;
  /** Notes in the transaction that a person deletes an Example. */
  noteRemoval(tx: Transaction, key: DatasetKey, exampleId: string): Promise<void>;
}

/** Tags or deletes Examples in one transaction, with the answer to the request: a repeat of it then changes nothing. */
export type UpdateExamples = (
  key: DatasetKey,
  update: ExamplesUpdate,
  requestId: string,
  inTransaction: (tx: Transaction, results: UpdateResult[]) => Promise<void>,
) => Promise<UpdateResult[]>;

export function createUpdateExamples(deps: UpdateExamplesDependencies): UpdateExamples {
  const { changes, examples } = deps;

  /** Outcome for an Example that is not there: one that was deleted before need not be deleted again. */
  async function missingResult(tx: Transaction, key: DatasetKey, exampleId: string, change: ExamplesChange) {
    const isGone = change.delete === true && (await examples.wasDeleted(key, exampleId, tx));
    return isGone ? { exampleId, outcome: 'unchanged' as const } : refusedResult(exampleId, notFound());
  }

  async function changedResult(
    work: ExampleWork,
    current: StoredExample,
    version: number | undefined,
    change: ExamplesChange,
  ): Promise<UpdateResult> {
    const { id: exampleId, fromVersion } = current;
    if (version !== undefined && version !== fromVersion) return refusedResult(exampleId, changedSinceError());
    if (change.delete === true) {
      work.remove(current);
      await deps.noteRemoval(work.tx, work.key, exampleId);
      return { exampleId, outcome: 'deleted' };
    }
    try {
      const after = work.replace(current, fitDraft(retagged(current, change)));
      return { exampleId, outcome: after === current ? 'unchanged' : 'updated', version: after.fromVersion };
    } catch (error) {
      if (error instanceof AppError) return refusedResult(exampleId, error);
      throw error;
    }
  }

  return (key, { examples: named, change }, requestId, inTransaction) =>
    changes.change(key, { requestId, weight: named.length }, async (work) => {
      await work.written();
      const ids = named.map(({ exampleId }) => exampleId);
      const held = await examples.getMany(work.tx, key, ids);
      const results: UpdateResult[] = [];
      for (const { exampleId, version } of named) {
        const current = held.get(exampleId);
        results.push(
          current === undefined
            ? await missingResult(work.tx, key, exampleId, change)
            : await changedResult(work, current, version, change),
        );
      }
      await inTransaction(work.tx, results);
      return results;
    });
}

/** Change of several Examples, each as the version that is named, if any, made it. */
export interface ExamplesUpdate {
  examples: readonly { exampleId: string; version?: number | undefined }[];
  change: ExamplesChange;
}

/** Outcome of one of several changes. */
export interface UpdateResult {
  exampleId: string;
  outcome: 'updated' | 'deleted' | 'unchanged' | 'refused';
  version?: number;
  error?: Omit<ReturnType<typeof errorBody>, 'requestId' | 'details'> & { details?: ErrorDetail[] };
}

/** Content of an Example with other tags. Throws VALIDATION_FAILED if it would have too many. */
function retagged(current: StoredExample, { addTags = [], removeTags = [] }: ExamplesChange): NewExample {
  const { tags, ...content } = contentOf(current);
  const removed = new Set(removeTags);
  const changed = [...new Set([...tags, ...addTags])].filter((tag) => !removed.has(tag));
  if (changed.length > MAX_TAGS) throw unfit({ path: 'tags', message: `must not be more than ${MAX_TAGS}` }, 'body');
  return { ...content, tags: changed };
}

function changedSinceError(): AppError {
  return new AppError('PRECONDITION_FAILED', 'It has changed since the version that was named');
}

function refusedResult(exampleId: string, error: AppError): UpdateResult {
  const { requestId: _requestId, details, ...body } = errorBody(error, '');
  const why = { ...body, ...(details === undefined ? {} : { details: [...details] }) };
  return { exampleId, outcome: 'refused', error: why };
}
