import type { OnConflict } from '@clew/contracts';
import type { ExampleDraft } from './example.ts';
import type { DerivationGroup } from './examples.store.ts';

/** One write: a new Example, or new content for an existing one. */
export interface PlannedWrite {
  draft: ExampleDraft;
  /** Id of the Example that it replaces. */
  replaces?: string;
}

/** Planned outcome of one entry of a batch; `write` is an index into the plan's writes. */
export type PlannedOutcome =
  | { outcome: 'created' | 'updated'; write: number }
  | { outcome: 'skipped'; write: number }
  | { outcome: 'skipped'; exampleId: string }
  | { outcome: 'refused'; reason: string };

export interface UpsertPlan {
  writes: readonly PlannedWrite[];
  /** Outcomes in the order of the entries. */
  outcomes: readonly PlannedOutcome[];
}

const IS_TAKEN = 'derivationKey is that of an Example that the Dataset holds already';

/**
 * Plans a batch entry by entry, so that a later entry sees the writes of earlier ones. `held` has the Examples of the
 * Dataset by their derivationKey; it is used only with an `onConflict`.
 */
export function planUpserts(
  drafts: readonly ExampleDraft[],
  held: ReadonlyMap<string, DerivationGroup>,
  onConflict: OnConflict | undefined,
): UpsertPlan {
  const writes: PlannedWrite[] = [];
  const writeOfKey = new Map<string, number>();

  function plan(draft: ExampleDraft): PlannedOutcome {
    const { derivationKey } = draft.source;
    if (onConflict === undefined || derivationKey === undefined) return add({ draft });
    const group = held.get(derivationKey);
    if (group !== undefined && group.count > 1) {
      return { outcome: 'refused', reason: `derivationKey names ${group.count} Examples of the Dataset` };
    }
    const earlier = writeOfKey.get(derivationKey);
    if (earlier === undefined && group === undefined) {
      writeOfKey.set(derivationKey, writes.length);
      return add({ draft });
    }
    if (onConflict === 'fail') return { outcome: 'refused', reason: IS_TAKEN };
    if (onConflict === 'skip') {
      if (earlier !== undefined) return { outcome: 'skipped', write: earlier };
      return { outcome: 'skipped', exampleId: group?.exampleId ?? '' };
    }
    if (earlier !== undefined) {
      writes[earlier] = { ...writes[earlier], draft };
      return { outcome: 'updated', write: earlier };
    }
    writeOfKey.set(derivationKey, writes.length);
    writes.push({ draft, replaces: group?.exampleId ?? '' });
    return { outcome: 'updated', write: writes.length - 1 };
  }

  function add(write: PlannedWrite): PlannedOutcome {
    writes.push(write);
    return { outcome: 'created', write: writes.length - 1 };
  }

  return { outcomes: drafts.map(plan), writes };
}

/** derivationKeys whose Examples the plan needs to know. */
export function keysToLookUp(drafts: readonly ExampleDraft[], onConflict: OnConflict | undefined): string[] {
  if (onConflict === undefined) return [];
  return drafts.flatMap(({ source }) => source.derivationKey ?? []);
}
