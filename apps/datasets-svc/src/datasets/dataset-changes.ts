import { STALE_TAG, type DatasetVersion } from '@clew/contracts';
import { newId } from '@clew/kernel';
import type { Transaction } from '@clew/persistence';
import { encodeSignature } from '@clew/similarity';
import {
  digestOf,
  soughtFields,
  splitOfTags,
  type DatasetKey,
  type ExampleDraft,
  type ExampleStore,
  type ExampleWork,
  type RetiredExample,
  type StoredExample,
} from '../examples/index.ts';
import { addContent, contentIdOf, subtractContent, type ContentState, type VersionStore } from '../versions/index.ts';
import type { DatasetSettings, StoredDataset } from './dataset.ts';
import type { DatasetStore, OpenDataset } from './datasets.store.ts';

export interface ChangeStores {
  datasets: DatasetStore;
  examples: ExampleStore;
  versions: VersionStore;
}

/**
 * Operations that one change may perform on a Dataset and its Examples, in a transaction that it may share with others.
 */
export interface DatasetWork extends ExampleWork {
  /** Dataset after the operations so far. */
  readonly dataset: StoredDataset;
  changeSettings(settings: DatasetSettings): void;
}

/**
 * Changes of one Dataset that share a transaction. Each makes its own version; their writes are collected and written
 * together.
 */
export interface DatasetChanges {
  /** Begins the next change. */
  next(): DatasetWork;
  /** Ends the current change; true if it changed anything. */
  end(): boolean;
  /** Writes the collected changes and the Dataset itself; `undefined` if nothing was changed. */
  save(): Promise<StoredDataset | undefined>;
}

/** Tracks what the changes do, and makes a version for each that touched Examples. */
class VersionLedger {
  readonly versions: DatasetVersion[] = [];
  readonly #content: ContentState;
  readonly #nowMs: number;
  #dataset: StoredDataset;
  #isTouched = false;
  #isContentTouched = false;

  constructor({ dataset, content }: OpenDataset, nowMs: number) {
    this.#dataset = dataset;
    this.#content = content;
    this.#nowMs = nowMs;
  }

  get dataset(): StoredDataset {
    return this.#dataset;
  }

  begin(): void {
    this.#isTouched = false;
    this.#isContentTouched = false;
  }

  /** Notes a change of content, and returns the version that it makes. */
  touchContent(exampleCountDelta: number): number {
    this.#isTouched = true;
    this.#isContentTouched = true;
    const exampleCount = this.#dataset.exampleCount + exampleCountDelta;
    this.#dataset = { ...this.#dataset, exampleCount, updatedAt: this.#nowMs };
    return this.#dataset.version + 1;
  }

  touchSettings(settings: DatasetSettings): void {
    this.#isTouched = true;
    this.#dataset = { ...this.#dataset, ...settings, updatedAt: this.#nowMs };
  }

  /** Ends the current change; true if it changed anything. */
  end(): boolean {
    if (!this.#isTouched) return false;
    if (this.#isContentTouched) {
      const { exampleCount } = this.#dataset;
      const version = this.#dataset.version + 1;
      const contentId = contentIdOf(this.#content, exampleCount);
      this.#dataset = { ...this.#dataset, version, contentId };
      this.versions.push({ version, contentId, exampleCount, createdAt: this.#nowMs });
    }
    return true;
  }
}

export function openChanges(
  tx: Transaction,
  opened: OpenDataset,
  stores: ChangeStores,
  clockMs: number,
): DatasetChanges {
  const { content } = opened;
  const key = { projectId: opened.dataset.projectId, datasetId: opened.dataset.id };
  // Time never goes back, even if the clocks of processes differ: a later version's Examples are not older than an
  // earlier one's.
  const nowMs = Math.max(clockMs, opened.dataset.updatedAt);
  const ledger = new VersionLedger(opened, nowMs);
  let pending = emptyWrites();
  let isChanged = false;

  async function written(): Promise<void> {
    const { inserted, replaced, deleted } = pending;
    if (inserted.length + replaced.length + deleted.length === 0) return;
    const writes = pending;
    pending = emptyWrites();
    await stores.examples.write(tx, key, writes);
  }

  const work: DatasetWork = {
    tx,
    key,
    get dataset() {
      return ledger.dataset;
    },
    insert(draft, id = newId('ex')) {
      const fromVersion = ledger.touchContent(1);
      const example = storedExample(key, id, draft, { fromVersion, createdAt: nowMs, updatedAt: nowMs });
      addContent(content, draft.digest);
      pending.inserted.push(example);
      return example;
    },
    replace(old, draft) {
      if (old.body === draft.body) return old;
      const fromVersion = ledger.touchContent(0);
      const { createdAt } = old;
      const example = storedExample(key, old.id, draft, { fromVersion, createdAt, updatedAt: nowMs });
      subtractContent(content, digestOf(old));
      addContent(content, draft.digest);
      pending.retired.push({ example: old, toVersion: fromVersion });
      pending.replaced.push(example);
      return example;
    },
    remove(old) {
      const toVersion = ledger.touchContent(-1);
      subtractContent(content, digestOf(old));
      pending.retired.push({ example: old, toVersion });
      pending.deleted.push(old.id);
    },
    changeSettings: (settings) => ledger.touchSettings(settings),
    written,
  };

  return {
    next() {
      ledger.begin();
      return work;
    },
    end() {
      const didAnything = ledger.end();
      isChanged ||= didAnything;
      return didAnything;
    },
    async save() {
      if (!isChanged) return undefined;
      await written();
      await stores.versions.insert(tx, key, ledger.versions);
      await stores.datasets.save(tx, { dataset: ledger.dataset, content });
      return ledger.dataset;
    },
  };
}

interface PendingWrites {
  inserted: StoredExample[];
  replaced: StoredExample[];
  deleted: string[];
  retired: RetiredExample[];
}

function emptyWrites(): PendingWrites {
  return { inserted: [], replaced: [], deleted: [], retired: [] };
}

function storedExample(
  key: DatasetKey,
  id: string,
  { source, tags, body, signature, terms }: ExampleDraft,
  times: Pick<StoredExample, 'fromVersion' | 'createdAt' | 'updatedAt'>,
): StoredExample {
  const { derivationKey, conversationId } = source;
  const split = splitOfTags(tags);
  return {
    id,
    ...key,
    body,
    ...(derivationKey === undefined ? {} : { derivationKey }),
    ...(conversationId === undefined ? {} : { conversationId }),
    ...(split === undefined ? {} : { split }),
    ...(tags.includes(STALE_TAG) ? { isStale: true } : {}),
    signature: encodeSignature(signature),
    sought: soughtFields({ source, tags, terms }),
    ...times,
  };
}
