import { MAX_SPLITS, type FindingSplit, type SplitCondition } from '@clew/contracts';
import { AppError, canonicalJson, sha256Hex } from '@clew/kernel';
import {
  splitOff,
  withOccurrence,
  withoutOccurrence,
  type ChangedFinding,
  type FindingHead,
} from '../findings/finding.ts';
import { findingIdOf, movedTo, type Occurrence } from '../findings/occurrence.ts';
import { conversationKey, type AnalysedConversation, type ResultState } from '../results/result-state.ts';
import { findingCountOf, headOfState } from '../results/with-clusters.ts';

/** Part of a Finding that becomes a Finding of its own. */
export interface SplitOff {
  parentId: string;
  /**
   * Fingerprint of the new Finding, derived from its parent's and the condition, so that the same split gives the same
   * one.
   */
  clusterFingerprint: string;
  split: FindingSplit;
  /** Occurrences that move with it; at least one. */
  moved: readonly Occurrence[];
}

/** Plans the split for a condition; throws if the Finding cannot be split that way. */
export function plannedSplit(parent: FindingHead, condition: SplitCondition): Omit<SplitOff, 'moved'> {
  const { id: parentId, projectId, splitFrom, splits = [] } = parent;
  if (splitFrom !== undefined) throw conflict('What was split off is not split again: split the Finding it came from');
  if (splits.length >= MAX_SPLITS) throw conflict(`At most ${MAX_SPLITS} Findings are split off one`);
  const { conversationIds, signal } = condition;
  const own = {
    ...(signal === undefined ? {} : { signal }),
    ...(conversationIds && { conversationIds: conversationIds.toSorted() }),
  };
  const clusterFingerprint = sha256Hex(canonicalJson(['split', parent.clusterFingerprint, own]));
  const findingId = findingIdOf(projectId, clusterFingerprint);
  if (splits.some((each) => each.findingId === findingId)) throw conflict('This was split off already');
  return { parentId, clusterFingerprint, split: { findingId, ...own } };
}

/** State after the occurrences have moved to the new Finding. */
export function withSplit(
  before: ResultState,
  { parentId, clusterFingerprint, split, moved }: SplitOff,
  nowMs: number,
): ResultState {
  const findings = new Map(before.findings);
  const conversations = new Map(before.conversations);
  const [first] = moved;
  let parent = findings.get(parentId);
  if (first === undefined || parent === undefined) throw new Error('There is nothing to be split off');
  let child: ChangedFinding = { head: splitOff(parent.head, split.findingId, clusterFingerprint, first) };
  for (const occurrence of inOrder(moved)) {
    const key = conversationKey(occurrence.projectId, occurrence.conversationId);
    const conversation = conversations.get(key);
    if (conversation === undefined) throw new Error('An occurrence is of no conversation');
    const own = movedTo(split.findingId, occurrence);
    conversations.set(key, withMoved(conversation, occurrence, own));
    parent = withoutOccurrence(parent, occurrence, nowMs);
    child = withOccurrence(child, own);
  }
  const { splits = [], revision } = parent.head;
  findings.set(parentId, { ...parent, head: { ...parent.head, revision: revision + 1, splits: [...splits, split] } });
  findings.set(split.findingId, { ...child, head: { ...child.head, createdAt: nowMs, updatedAt: nowMs } });
  const after = { conversations, findings };
  return { ...after, conversations: counted(before, after) };
}

function withMoved(conversation: AnalysedConversation, from: Occurrence, to: Occurrence): AnalysedConversation {
  const view = conversation.rules.get(from.ruleId);
  if (view === undefined) return conversation;
  const occurrences = new Map(view.occurrences);
  occurrences.delete(from.id);
  occurrences.set(to.id, to);
  return { ...conversation, rules: new Map(conversation.rules).set(from.ruleId, { ...view, occurrences }) };
}

function counted(before: ResultState, after: ResultState): ResultState['conversations'] {
  const headOf = headOfState(after);
  return new Map(
    [...after.conversations].map(([key, conversation]) => {
      if (before.conversations.get(key) === conversation) return [key, conversation];
      const findingCount = findingCountOf(conversation.rules, headOf);
      return [key, { ...conversation, findingCount, version: conversation.version + 1 }];
    }),
  );
}

/** Orders occurrences by detection, so that the new Finding gets the state that it would have had from the start. */
function inOrder(occurrences: readonly Occurrence[]): Occurrence[] {
  return occurrences.toSorted(
    (one, other) => one.firstDetectedAt - other.firstDetectedAt || (one.conversationId < other.conversationId ? -1 : 1),
  );
}

function conflict(message: string): AppError {
  return new AppError('CONFLICT', message);
}
