import type { Transaction } from '@clew/persistence';
import type { ChangeWork } from '../datasets/dataset-changes.ts';
import type { DatasetWriter } from '../datasets/dataset-writer.ts';
import type {
  DatasetKey,
  ExampleDraft,
  ExampleWriter,
  StoredExample,
  WriteBatchOptions,
  WriteOutcome,
} from './example.ts';
import type { ExampleStore } from './examples.store.ts';
import { keysToLookUp, planUpserts } from './upsert-plan.ts';

/** What became of one entry of a batch, with the Example as it is now. */
export type UpsertResult =
  { status: 'imported' | 'updated' | 'skipped'; example: StoredExample } | { status: 'refused'; reason: string };

export interface ExampleUpserts extends ExampleWriter {
  /**
   * Writes a batch in one transaction. `inTransaction` is called in it, before anything is written, with the outcomes;
   * what it throws undoes all.
   */
  upsert(
    key: DatasetKey,
    drafts: readonly ExampleDraft[],
    options: WriteBatchOptions,
    inTransaction?: (tx: Transaction, results: readonly UpsertResult[]) => Promise<void>,
  ): Promise<readonly UpsertResult[]>;
}

export function createExampleUpserts(writer: DatasetWriter, examples: ExampleStore): ExampleUpserts {
  async function upsertIn(
    work: ChangeWork,
    drafts: readonly ExampleDraft[],
    { onConflict }: WriteBatchOptions,
  ): Promise<UpsertResult[]> {
    await work.written();
    const held = await examples.groupsOf(work.tx, work.key, keysToLookUp(drafts, onConflict));
    const { writes, outcomes } = planUpserts(drafts, held, onConflict);
    const needed = [
      ...writes.flatMap(({ replaces }) => replaces ?? []),
      ...outcomes.flatMap((outcome) => ('exampleId' in outcome ? outcome.exampleId : [])),
    ];
    const found = await examples.getMany(work.tx, work.key, needed);
    const foundOne = (id: string) => {
      const example = found.get(id);
      if (example === undefined) throw new Error('An Example was there a moment ago, in the same snapshot');
      return example;
    };
    const written = writes.map(({ draft, replaces }) =>
      replaces === undefined ? work.insert(draft) : work.replace(foundOne(replaces), draft),
    );
    return outcomes.map((outcome): UpsertResult => {
      if (outcome.status === 'refused') return outcome;
      const example = 'write' in outcome ? written[outcome.write] : foundOne(outcome.exampleId);
      if (example === undefined) throw new Error('A plan names a write that it does not hold');
      return { status: outcome.status, example };
    });
  }

  const upsert: ExampleUpserts['upsert'] = (key, drafts, options, inTransaction) =>
    writer.change(key, { requestId: options.requestId, weight: drafts.length }, async (work) => {
      const results = await upsertIn(work, drafts, options);
      await inTransaction?.(work.tx, results);
      return results;
    });

  return {
    upsert,
    async writeBatch(key, drafts, options, inTransaction) {
      const tell =
        inTransaction &&
        ((tx: Transaction, upserted: readonly UpsertResult[]) => inTransaction(tx, upserted.map(outcomeOf)));
      const results = await upsert(key, drafts, options, tell);
      return results.map(outcomeOf);
    },
  };
}

function outcomeOf(result: UpsertResult): WriteOutcome {
  return result.status === 'refused' ? result : { status: result.status, id: result.example.id };
}
