import { ZodError } from 'zod';
import { NewExample, type CollectedExample, type RefusalReason } from '@clew/contracts';
import { eraseReplies, type Database } from '@clew/persistence';
import type { GroupCommit } from '../datasets/index.ts';
import { draftExample, UnfitExampleError, type ExampleStore, type StoredExample } from '../examples/index.ts';
import type { DecisionDocument } from './decision.model.ts';
import { collectedIdOf, planDecision, type DecisionPlan, type WantedExample } from './plan-decision.ts';

export type DatasetWork = Parameters<Parameters<GroupCommit['change']>[2]>[0];

/** Examples that a worker made, checked as those of callers are. */
export type CheckedExamples = { wanted: WantedExample[] } | { error: unknown };

/** Checks Examples: a conversation may hold what none can, such as half a character. */
export function checkedExamples(examples: readonly CollectedExample[]): CheckedExamples {
  try {
    return {
      wanted: examples.map(({ derivationKey, example }) => {
        return { derivationKey, draft: draftExample(NewExample.parse(example)) };
      }),
    };
  } catch (error) {
    if (!(error instanceof UnfitExampleError) && !(error instanceof ZodError)) throw error;
    return { error };
  }
}

/** Reads the Examples that decisions own or are to own, by id. */
export async function storedExamples(
  { tx, key }: DatasetWork,
  examples: Pick<ExampleStore, 'getMany'>,
  { rows, wanted }: { rows: readonly DecisionDocument[]; wanted: readonly Pick<WantedExample, 'derivationKey'>[] },
): Promise<ReadonlyMap<string, StoredExample>> {
  const ids = [
    ...rows.flatMap((row) => row.examples.map(({ id }) => id)),
    ...wanted.map(({ derivationKey }) => collectedIdOf(key.datasetId, derivationKey)),
  ];
  return await examples.getMany(tx, key, [...new Set(ids)]);
}

export interface Finding {
  wanted: readonly WantedExample[];
  refused: RefusalReason | null;
}

/** Plans what was found for a decision, and makes its changes of the Dataset. */
export function applyFinding(
  work: DatasetWork,
  { examples: owned, removedKeys }: Pick<DecisionDocument, 'examples' | 'removedKeys'>,
  { wanted, refused }: Finding,
  stored: ReadonlyMap<string, StoredExample>,
): DecisionPlan {
  const plan = planDecision({ datasetId: work.key.datasetId, owned, removedKeys, wanted, refused, stored });
  for (const { id, draft } of plan.inserted) work.insert(draft, id);
  for (const { example, draft } of plan.replaced) work.replace(example, draft);
  for (const example of [...plan.removed, ...plan.erased]) work.remove(example);
  return plan;
}

/** Erases the words of Examples that were removed because their item was erased: from former versions and replies. */
export async function eraseFormer(
  { tx, key, written }: DatasetWork,
  database: Database,
  examples: Pick<ExampleStore, 'erase'>,
  plans: readonly DecisionPlan[],
): Promise<void> {
  const ids = plans.flatMap(({ erased }) => erased.map(({ id }) => id));
  if (ids.length === 0) return;
  await written();
  for (const id of ids) await examples.erase(tx, key, id);
  await eraseReplies(database, key.projectId, ids);
}
