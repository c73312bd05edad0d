import type { OnConflict } from '@clew/contracts';
import type { Transaction } from '@clew/persistence';
import type { ExampleChanges, ExampleWork } from './example-changes.ts';
import type { DatasetKey, ExampleDraft, StoredExample } from './example.ts';
import type { ExampleStore } from './examples.store.ts';
import { keysToLookUp, planUpserts } from './upsert-plan.ts';

/** Outcome of one of several writes, with the Example in its current state. */
export type UpsertOutcome =
  { outcome: 'created' | 'updated' | 'skipped'; example: StoredExample } | { outcome: 'refused'; reason: string };

export interface UpsertOptions {
  /** Without it, an existing `derivationKey` only groups the Examples. */
  onConflict?: OnConflict | undefined;
  requestId: string;
}

/** Writes many Examples at once, for batches and imports. */
export interface ExampleUpserts {
  /**
   * Writes up to 1,000 Examples in one transaction, which makes one version, and returns their outcomes in order.
   * Throws NOT_FOUND if the Dataset does not exist any more. `inTransaction` runs in the transaction before its
   * Examples are written; if it throws, everything is undone.
   */
  upsert(
    key: DatasetKey,
    drafts: readonly ExampleDraft[],
    options: UpsertOptions,
    inTransaction?: (tx: Transaction, outcomes: readonly UpsertOutcome[]) => Promise<void>,
  ): Promise<readonly UpsertOutcome[]>;
}

export function createExampleUpserts(changes: ExampleChanges, examples: ExampleStore): ExampleUpserts {
  async function upsertIn(
    work: ExampleWork,
    drafts: readonly ExampleDraft[],
    onConflict: OnConflict | undefined,
  ): Promise<UpsertOutcome[]> {
    await work.written();
    const held = await examples.groupsOf(work.tx, work.key, keysToLookUp(drafts, onConflict));
    const { writes, outcomes } = planUpserts(drafts, held, onConflict);
    const needed = [
      ...writes.flatMap(({ replaces }) => replaces ?? []),
      ...outcomes.flatMap((planned) => ('exampleId' in planned ? planned.exampleId : [])),
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
    return outcomes.map((planned): UpsertOutcome => {
      if (planned.outcome === 'refused') return planned;
      const example = 'write' in planned ? written[planned.write] : foundOne(planned.exampleId);
      if (example === undefined) throw new Error('A plan names a write that it does not hold');
      return { outcome: planned.outcome, example };
    });
  }

  return {
    upsert: (key, drafts, { onConflict, requestId }, inTransaction) =>
      changes.change(key, { requestId, weight: drafts.length }, async (work) => {
        const outcomes = await upsertIn(work, drafts, onConflict);
        await inTransaction?.(work.tx, outcomes);
        return outcomes;
      }),
  };
}
