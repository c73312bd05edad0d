import { STALE_TAG, type DecisionOutcome, type RefusalReason } from '@clew/contracts';
import { derivedId, sha256Hex } from '@clew/kernel';
import { contentOf, draftExample, type ExampleDraft, type StoredExample } from '../examples/index.ts';
import type { OwnedExample } from './decision.model.ts';

/** Example that a look found, ready to be written. */
export interface WantedExample {
  derivationKey: string;
  draft: ExampleDraft;
}

export interface DecisionInput {
  datasetId: string;
  /** Examples of the decision so far, and keys that people deleted. */
  owned: readonly OwnedExample[];
  removedKeys: readonly string[];
  /** Examples that the conversation gives now; none if the look refused it. */
  wanted: readonly WantedExample[];
  /** Why the look refused the conversation. */
  refused: RefusalReason | null;
  /** Examples of the Dataset as they are stored, by id. */
  stored: ReadonlyMap<string, StoredExample>;
}

/** Writes that follow from a look, and the decision after it. */
export interface DecisionPlan {
  inserted: { id: string; draft: ExampleDraft }[];
  replaced: { example: StoredExample; draft: ExampleDraft }[];
  removed: StoredExample[];
  /** Examples whose words must go from every version. */
  erased: StoredExample[];
  owned: OwnedExample[];
  removedKeys: string[];
  outcome: DecisionOutcome;
}

/** Id of a collected Example: the same for the same Dataset and provenance. */
export function collectedIdOf(datasetId: string, derivationKey: string): string {
  return derivedId('ex', datasetId, derivationKey);
}

export function digestOfBody(body: string): string {
  return sha256Hex(body).slice(0, 32);
}

/**
 * Plans what a look means for the Examples of a conversation or an item. The Dataset holds what the latest look found: a step that
 * is no longer the one is replaced, and where nothing is found any more the Examples become stale, and fresh again if it
 * is found later. What a person has changed stays as it is, and what a person has deleted never comes back. Of an item
 * that was erased nothing stays.
 */
export function planDecision(input: DecisionInput): DecisionPlan {
  const { datasetId, owned, wanted, stored, refused } = input;
  const gone = owned.filter(({ id }) => !stored.has(id)).map(({ derivationKey }) => derivationKey);
  const removedKeys = [...new Set([...input.removedKeys, ...gone])];
  const allowed = wanted.filter(({ derivationKey }) => !removedKeys.includes(derivationKey));
  const plan: DecisionPlan = {
    ...{ inserted: [], replaced: [], removed: [], erased: [], owned: [], removedKeys },
    outcome: refused === null ? 'collected' : 'refused',
  };
  if (refused === null && allowed.length === 0) plan.outcome = 'removed_by_hand';
  if (refused === 'item_gone') {
    plan.erased = owned.flatMap(({ id }) => stored.get(id) ?? []);
    return plan;
  }
  const left = new Map(allowed.map((each) => [each.derivationKey, each]));
  for (const known of owned) {
    const example = stored.get(known.id);
    if (example === undefined) continue;
    const again = left.get(known.derivationKey);
    left.delete(known.derivationKey);
    if (digestOfBody(example.body) !== known.digest) {
      plan.owned.push(known);
      plan.outcome = 'kept';
    } else if (again !== undefined) replace(plan, example, known, again.draft);
    else if (allowed.length > 0) {
      plan.removed.push(example);
      plan.outcome = 'replaced';
    } else {
      replace(plan, example, known, staleDraft(example));
      if (plan.outcome !== 'kept') plan.outcome = 'stale';
    }
  }
  const isKept = plan.outcome === 'kept';
  for (const { derivationKey, draft } of isKept ? [] : left.values()) {
    const id = collectedIdOf(datasetId, derivationKey);
    plan.inserted.push({ id, draft });
    plan.owned.push({ id, derivationKey, digest: digestOfBody(draft.body) });
  }
  return plan;
}

function replace(plan: DecisionPlan, example: StoredExample, known: OwnedExample, draft: ExampleDraft): void {
  if (example.body !== draft.body) plan.replaced.push({ example, draft });
  plan.owned.push({ ...known, digest: digestOfBody(draft.body) });
}

/** Same content, marked as stale. */
function staleDraft(example: StoredExample): ExampleDraft {
  return draftWith(example, [STALE_TAG]);
}

/** Same content, not marked as stale any more. */
export function freshDraft(example: StoredExample): ExampleDraft {
  return draftWith(example, []);
}

function draftWith(example: StoredExample, marks: readonly string[]): ExampleDraft {
  const { source, tags, payload } = contentOf(example);
  return draftExample({ source, payload, tags: [...tags.filter((tag) => tag !== STALE_TAG), ...marks] });
}
