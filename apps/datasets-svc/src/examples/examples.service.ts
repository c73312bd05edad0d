import type { Example, ExampleChange, NewExample, Split, SplitRatio } from '@clew/contracts';
import { notFound, page, type CursorCodec, type ListDefinition, type PageQuery } from '@clew/kernel';
import type { Transaction } from '@clew/persistence';
import type { ExampleChanges } from './example-changes.ts';
import type { ExampleHistory } from './example-history.store.ts';
import { MAX_SLICE_SIZE, type DatasetLookup, type ExampleReader } from './example-reader.ts';
import { contentOf, exampleView, type DatasetKey } from './example.ts';
import type { ExampleFilter } from './example-conditions.ts';
import { EXAMPLES } from './example-lists.store.ts';
import type { ExampleStore } from './examples.store.ts';
import { fitDraft } from './fit-draft.ts';
import type { SplitSlices } from './split-slices.ts';

export interface ExamplesDependencies {
  datasets: DatasetLookup;
  examples: ExampleStore;
  history: ExampleHistory;
  reader: ExampleReader;
  splitSlices: SplitSlices;
  changes: ExampleChanges;
  cursors: CursorCodec;
  /** Notes in the transaction that a person deletes an Example. */
  noteRemoval(tx: Transaction, key: DatasetKey, exampleId: string): Promise<void>;
}

export interface ExampleKey extends DatasetKey {
  exampleId: string;
}

export interface ListQuery extends PageQuery, ExampleFilter {
  version?: number | undefined;
  split?: Split | undefined;
  ratio?: SplitRatio | undefined;
}

export interface ChangeConditions {
  requestId: string;
  /** Checks the Example before the change; it may throw. */
  check: (current: Example) => void;
}

const SPLIT: ListDefinition = { name: 'examples of a split' };

export type ExamplesService = ReturnType<typeof createExamplesService>;

export function createExamplesService(deps: ExamplesDependencies) {
  const { datasets, examples, history, reader, splitSlices, changes, cursors } = deps;

  const requireDataset = (key: DatasetKey) => requireIn(datasets, key);

  /** Lists one split. The cursor also names the version, because groups change with the Dataset. */
  async function listSplit(key: DatasetKey, { limit, cursor, version, split, ratio }: ListQuery & { split: Split }) {
    const { projectId, datasetId } = key;
    const filters = { datasetId, version, split, ratio: ratio?.join() };
    const { items, nextCursor } = await page(cursors, SPLIT, { projectId, filters, limit, cursor }, async (slice) => {
      const [walked, ...place] = slice.after ?? [];
      const at = await reader.versionOf(key, walked === undefined ? version : Number(walked));
      const after = walked === undefined ? undefined : place;
      const { items, next } = await splitSlices(key, at, { split, ratio, limit, after });
      return { items, next: next && [at.version, ...next] };
    });
    return { examples: items.map((example) => ({ ...exampleView(example), split })), nextCursor };
  }

  return {
    async create(
      key: DatasetKey,
      input: NewExample,
      requestId: string,
      inTransaction: (tx: Transaction, created: Example) => Promise<void>,
    ): Promise<Example> {
      const draft = fitDraft(input);
      return changes.change(key, { requestId }, async (work) => {
        const created = exampleView(work.insert(draft));
        await inTransaction(work.tx, created);
        return created;
      });
    },

    async list(key: DatasetKey, query: ListQuery) {
      const { limit, cursor, version, split } = query;
      if (split !== undefined) return listSplit(key, { ...query, split });
      const { projectId, datasetId } = key;
      const filter = filterOf(query);
      const request = { projectId, filters: { datasetId, version, ...filter }, limit, cursor };
      const { items, nextCursor } = await page(cursors, EXAMPLES, request, async (slice) => {
        const at = version === undefined ? await requireDataset(key) : await reader.versionOf(key, version);
        if (filter !== undefined) return await examples.list(key, filter, { ...slice, size: MAX_SLICE_SIZE });
        return reader.slice(key, at ?? undefined, slice);
      });
      return { examples: items.map(exampleView), nextCursor };
    },

    async get({ exampleId, ...key }: ExampleKey, version: number | undefined): Promise<Example> {
      const at = version === undefined ? await requireDataset(key) : await reader.versionOf(key, version);
      const found = await (at === undefined ? examples.get(key, exampleId) : history.get(key, exampleId, at.version));
      if (found === undefined) throw notFound();
      return exampleView(found);
    },

    async update({ exampleId, ...key }: ExampleKey, change: ExampleChange, conditions: ChangeConditions) {
      return changes.change(key, conditions, async (work) => {
        await work.written();
        const current = await examples.get(key, exampleId, work.tx);
        if (current === undefined) throw notFound();
        conditions.check(exampleView(current));
        const { source, tags, payload } = contentOf(current);
        const draft = fitDraft({
          source: change.source ?? source,
          tags: change.tags ?? tags,
          payload: change.payload ?? payload,
        });
        return exampleView(work.replace(current, draft));
      });
    },

    /**
     * Deletes an Example; a repeated delete succeeds. With `erase`, its content is removed from earlier versions too.
     */
    async remove({ exampleId, ...key }: ExampleKey, erase: boolean, conditions: ChangeConditions): Promise<void> {
      await changes.change(key, conditions, async (work) => {
        await work.written();
        const current = await examples.get(key, exampleId, work.tx);
        if (current === undefined && !(await examples.wasDeleted(key, exampleId, work.tx))) throw notFound();
        if (current !== undefined) {
          conditions.check(exampleView(current));
          work.remove(current);
          await deps.noteRemoval(work.tx, key, exampleId);
        }
        if (!erase) return;
        await work.written();
        await examples.erase(work.tx, key, exampleId);
      });
    },
  };
}

/** Throws NOT_FOUND if there is no such Dataset. */
async function requireIn(datasets: DatasetLookup, { projectId, datasetId }: DatasetKey): Promise<void> {
  if ((await datasets.get(projectId, datasetId)) === undefined) throw notFound();
}

/** Filter of a list; undefined if it has none. */
function filterOf({ tag, sourceKind, conversationId, q }: ListQuery): ExampleFilter | undefined {
  const filter = { tag, sourceKind, conversationId, q };
  return Object.values(filter).every((value) => value === undefined) ? undefined : filter;
}

/** Strong entity tag of an Example: its content is fixed by the version that made it. */
export function exampleEtag({ id, version }: Pick<Example, 'id' | 'version'>): string {
  return `"${id}.${version}"`;
}
