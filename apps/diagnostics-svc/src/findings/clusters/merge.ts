import { MAX_MERGED_FINDINGS } from '@clew/contracts';
import { AppError } from '@clew/kernel';
import { isListed, type FindingHead } from '../finding.ts';
import { verifiedAnew } from '../resolution/resolution.ts';
import { isRoot, type HeadOf } from './cluster.ts';

/**
 * Changed Findings after a merge or its undoing; others stay as they were. The count of each root must still be set.
 */
export interface Regrouped {
  changed: readonly FindingHead[];
  /** Findings whose conversations must be counted again. */
  rootIds: readonly string[];
  /** Findings whose conversations count for another Finding now. */
  movedIds: readonly string[];
}

/** Merges one Finding into another. `headOf` must know both, and all that are merged into either. */
export function merged(
  headOf: HeadOf,
  { findingId, into }: { findingId: string; into: string },
  nowMs: number,
): Regrouped {
  const [own, target] = [known(headOf, findingId), known(headOf, into)];
  if (own.mergedInto !== undefined) throw alreadyMerged(own);
  const rootId = target.rootId ?? target.id;
  if (rootId === own.id) throw conflict('A Finding cannot be merged into itself, nor into one that was merged into it');
  const root = known(headOf, rootId);
  const moved = [own.id, ...(own.memberIds ?? [])];
  const memberIds = [...(root.memberIds ?? []), ...moved];
  if (memberIds.length > MAX_MERGED_FINDINGS) {
    throw conflict(`A Finding takes at most ${MAX_MERGED_FINDINGS} others, counting those that were merged into them`);
  }
  const members = membersOf(own, headOf);
  const left = members.length === 0 ? own : verifiedAnew(own, nowMs);
  const leading = changedByPeople({ ...left, mergedInto: into, rootId, memberIds: undefined, clusterCount: undefined });
  return {
    changed: [
      ...[changedByPeople({ ...verifiedAnew(root, nowMs), memberIds }), leading],
      ...members.map((member) => rooted(member, rootId)),
    ].map((head) => written(head, nowMs)),
    rootIds: [rootId],
    movedIds: moved,
  };
}

/** Takes a Finding out of the one that it was merged into, together with all that were merged into it. */
export function unmerged(headOf: HeadOf, findingId: string, nowMs: number): Regrouped {
  const own = known(headOf, findingId);
  const { mergedInto, rootId } = own;
  if (mergedInto === undefined || rootId === undefined) throw conflict('The Finding is not merged into another one');
  const root = known(headOf, rootId);
  const under = membersOf(root, headOf).filter((member) => leadsTo(member, findingId, headOf));
  const movedIds = [findingId, ...under.map(({ id }) => id)];
  const left = (root.memberIds ?? []).filter((id) => !movedIds.includes(id));
  const alone = changedByPeople({
    ...(under.length === 0 ? own : verifiedAnew(own, nowMs)),
    ...{ mergedInto: undefined, rootId: undefined },
    memberIds: under.length === 0 ? undefined : under.map(({ id }) => id),
  });
  const rest = changedByPeople({ ...verifiedAnew(root, nowMs), memberIds: left.length === 0 ? undefined : left });
  const heads = [rest, alone];
  return {
    changed: [
      ...heads.map((head) => (isRoot(head) ? head : { ...head, clusterCount: undefined })),
      ...under.map((member) => rooted(member, findingId)),
    ].map((head) => written(head, nowMs)),
    rootIds: heads.filter(isRoot).map(({ id }) => id),
    movedIds,
  };
}

export function alreadyMerged({ mergedInto }: FindingHead): AppError {
  return new AppError('FINDING_MERGED', `The Finding is merged into ${mergedInto}: what is to be done, is done there`);
}

function membersOf({ memberIds = [] }: FindingHead, headOf: HeadOf): FindingHead[] {
  return memberIds.map((id) => known(headOf, id));
}

/** Whether the path of merges from a member to its root goes through the other Finding. */
function leadsTo(member: FindingHead, findingId: string, headOf: HeadOf): boolean {
  let next = member.mergedInto;
  for (let steps = 0; next !== undefined && steps <= MAX_MERGED_FINDINGS; steps += 1) {
    if (next === findingId) return true;
    next = known(headOf, next).mergedInto;
  }
  return false;
}

function rooted(member: FindingHead, rootId: string): FindingHead {
  return { ...member, rootId };
}

function changedByPeople(head: FindingHead): FindingHead {
  return { ...head, revision: head.revision + 1 };
}

function written(head: FindingHead, nowMs: number): FindingHead {
  return { ...head, sequence: head.sequence + 1, listed: isListed(head), updatedAt: nowMs };
}

function known(headOf: HeadOf, findingId: string): FindingHead {
  const head = headOf(findingId);
  if (head === undefined) throw new Error(`The Finding ${findingId} is not known`);
  return head;
}

function conflict(message: string): AppError {
  return new AppError('CONFLICT', message);
}
