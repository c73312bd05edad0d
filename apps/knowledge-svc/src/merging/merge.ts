import {
  KNOWLEDGE_AUTHORITIES,
  MAX_EVIDENCE_OF_ITEM,
  type ExtractedItem,
  type ItemEvidence,
  type ItemRelation,
  type SiblingRelation,
} from '@clew/contracts';
import { decodeSignature, NEAR_DUPLICATE_SIMILARITY, similarityOf } from '@clew/similarity';
import { isReviewed, placeOf, supersededItem, type StoredItem } from '../items/index.ts';
import { statementOf, type Statement } from './statement.ts';
import { cosineOf, SAME_MEANING } from '@clew/similarity';

/** Extracted item whose quotes were checked. */
export interface NewItem extends Pick<ExtractedItem, 'title' | 'content' | 'kind' | 'confidence' | 'authority'> {
  id: string;
  projectId: string;
  goalId: string;
  conversationId: string;
  evidence: readonly ItemEvidence[];
  /** Time of the latest quoted message. */
  saidAt: number;
  subject: StoredItem['subject'];
  validFrom: number | null;
  validUntil: number | null;
  statement: Statement;
  /** Relations to existing items, according to a model that can judge. */
  relations: readonly ItemRelation[];
  /** Place among the items of its extraction, and relations to those before it. */
  place?: number | undefined;
  siblings?: readonly SiblingRelation[] | undefined;
  vector?: { model: string; values: Float32Array } | undefined;
}

/** Item of the same goal that may state the same, or the contrary. */
export interface Candidate {
  item: StoredItem;
  signature: string;
  subjectKey: string;
  vector?: { model: string; values: Float32Array } | undefined;
}

export type Merge =
  /** `after` is undefined if nothing changes. */
  | { kind: 'merged'; before: StoredItem; after: StoredItem | undefined }
  /** `changed`: the older item that is replaced or possibly outdated. */
  | { kind: 'created'; item: StoredItem; changed: { before: StoredItem; after: StoredItem } | undefined };

const SAME: readonly Relation[] = ['same'];
/** Relations in which one of the two items replaces the other. */
const REPLACED: readonly Relation[] = ['refines', 'supersedes', 'contradicts'];

type Relation = ItemRelation['relation'];

/**
 * Decides how a new item joins the existing ones: merged into one of them, or created. Where a model that can judge says
 * that one of a pair no longer holds, that one is archived; where only the words of both hint at it, that one is linked
 * as possibly outdated, for a person.
 */
export function mergeItem(found: NewItem, candidates: readonly Candidate[], nowMs: number): Merge {
  const same = sameAs(found, candidates) ?? relatedTo(found, candidates, SAME);
  if (same !== undefined) return { kind: 'merged', before: same.item, after: withEvidence(same.item, found, nowMs) };
  const item = createdItem(found, nowMs);
  const replaced = relatedTo(found, candidates, REPLACED)?.item;
  if (replaced !== undefined) return withReplaced(item, replaced, nowMs);
  const contrary = contraryTo(found, candidates)?.item;
  if (contrary !== undefined) return withPossiblyOutdated(item, contrary, nowMs);
  return { kind: 'created', item, changed: undefined };
}

function withReplaced(item: StoredItem, other: StoredItem, nowMs: number): Merge {
  if (!prevails(item, other)) {
    // Archived rather than dropped: it can be viewed beside the valid item, and a person can activate it if it is
    // right.
    const never = { status: 'archived', supersededBy: other.id, heldUntil: item.heldFrom } as const;
    return { kind: 'created', item: { ...item, ...never }, changed: undefined };
  }
  const changed = { before: other, after: supersededItem(other, item, nowMs) };
  return { kind: 'created', item: { ...item, supersedes: other.id }, changed };
}

function withPossiblyOutdated(item: StoredItem, other: StoredItem, nowMs: number): Merge {
  if (!prevails(item, other)) {
    return { kind: 'created', item: { ...item, possiblyOutdatedBy: other.id }, changed: undefined };
  }
  const after = { ...other, possiblyOutdatedBy: item.id, revision: other.revision + 1, updatedAt: nowMs };
  return { kind: 'created', item, changed: { before: other, after } };
}

/**
 * Finds an equal item by its words, then by nearly the same words, then by meaning; never one with other numbers or
 * names.
 */
function sameAs(found: NewItem, candidates: readonly Candidate[]): Candidate | undefined {
  const { statement, vector } = found;
  const byId = candidates.find(({ item }) => item.id === found.id);
  if (byId !== undefined) return byId;
  const stated = candidates.map((candidate) => ({ candidate, of: statementOf(candidate.item.content) }));
  const exact = stated.find(({ of }) => of.textKey === statement.textKey);
  if (exact !== undefined) return exact.candidate;
  const agreeing = stated
    .filter(({ of, candidate }) => of.claims === statement.claims && relationTo(found, candidate) !== 'unrelated')
    .map(({ candidate }) => candidate);
  const signature = decodeSignature(statement.signature);
  const near = best(agreeing, (candidate) => similarityOf(signature, decodeSignature(candidate.signature)));
  if (near !== undefined && near.value >= NEAR_DUPLICATE_SIMILARITY) return near.candidate;
  if (vector === undefined) return undefined;
  const alike = best(agreeing, (candidate) =>
    candidate.vector?.model === vector.model ? cosineOf(vector.values, candidate.vector.values) : 0,
  );
  return alike !== undefined && alike.value >= SAME_MEANING ? alike.candidate : undefined;
}

function contraryTo(found: NewItem, candidates: readonly Candidate[]): Candidate | undefined {
  const { statement } = found;
  return candidates.find(
    (candidate) =>
      candidate.item.status === 'active' &&
      candidate.subjectKey === statement.subjectKey &&
      relationTo(found, candidate) !== 'unrelated' &&
      statementOf(candidate.item.content).claims !== statement.claims,
  );
}

/** Finds the active item to which the new one has one of these relations, the nearest first. */
function relatedTo(
  found: NewItem,
  candidates: readonly Candidate[],
  wanted: readonly Relation[],
): Candidate | undefined {
  const byId = new Map(candidates.map((candidate) => [candidate.item.id, candidate]));
  return found.relations
    .flatMap(({ itemId }) => byId.get(itemId) ?? [])
    .find((candidate) => {
      const relation = relationTo(found, candidate);
      return candidate.item.status === 'active' && relation !== undefined && wanted.includes(relation);
    });
}

/** Relation of the new item to an existing one as it is now; `undefined` if that was not compared. */
function relationTo({ relations }: NewItem, { item }: Candidate): Relation | undefined {
  return relations.find(({ itemId, revision }) => itemId === item.id && revision === item.revision)?.relation;
}

/** Whether the new item prevails over the contrary one: it has more authority, or the same and was said later. */
function prevails(item: StoredItem, other: StoredItem): boolean {
  if (isReviewed(other)) return false;
  const difference = rankOf(item.authority) - rankOf(other.authority);
  return difference > 0 || (difference === 0 && item.saidAt >= other.saidAt);
}

/** Item with additional evidence; `undefined` if there is none, or if a person has decided about the item. */
function withEvidence(item: StoredItem, found: NewItem, nowMs: number): StoredItem | undefined {
  if (isReviewed(item) || item.status === 'archived') return undefined;
  const known = new Set(item.evidence.map(placeOf));
  const room = Math.max(0, MAX_EVIDENCE_OF_ITEM - item.evidence.length);
  const evidence = found.evidence.filter((one) => !known.has(placeOf(one))).slice(0, room);
  const authority = rankOf(found.authority) > rankOf(item.authority) ? found.authority : item.authority;
  const confidence = Math.max(item.confidence, found.confidence);
  const about = aboutAndWhen(item, found);
  const isSame = JSON.stringify({ ...item, ...about, authority, confidence }) === JSON.stringify(item);
  if (evidence.length === 0 && isSame) return undefined;
  return {
    ...item,
    ...{ ...about, evidence: [...item.evidence, ...evidence], authority, confidence },
    ...{ revision: item.revision + 1, updatedAt: nowMs },
  };
}

/** Fields that a repetition adds: when it was said last, and whom it is about and when it holds, if that was not known. */
function aboutAndWhen(item: StoredItem, found: NewItem) {
  const subject = item.subject.kind === 'project' ? found.subject : item.subject;
  const validFrom = item.validFrom ?? found.validFrom;
  const validUntil = item.validUntil ?? found.validUntil;
  const isOrdered = (validFrom ?? -Infinity) < (validUntil ?? Infinity);
  const saidAt = Math.max(item.saidAt, found.saidAt);
  if (!isOrdered) return { subject, saidAt };
  const heldFrom = validFrom ?? Math.min(item.heldFrom, found.saidAt);
  return { subject, saidAt, validFrom, validUntil, heldFrom, heldUntil: validUntil };
}

function createdItem(found: NewItem, nowMs: number): StoredItem {
  const { id, projectId, goalId, title, content, kind, confidence, authority, conversationId, evidence } = found;
  const { subject, saidAt, validFrom, validUntil } = found;
  const [first] = evidence;
  if (first === undefined) throw new Error('An item without evidence is none');
  return {
    ...{ id, projectId, goalId, status: 'active', title, content, kind, confidence, authority },
    ...{ sourceTraceId: first.traceId, sourceConversationId: conversationId, evidence: [...evidence] },
    ...{ subject, saidAt, validFrom, validUntil, heldFrom: validFrom ?? saidAt, heldUntil: validUntil },
    ...{ reviewedAt: null, reviewedBy: null, supersedes: null, supersededBy: null, possiblyOutdatedBy: null },
    ...{ revision: 1, createdAt: nowMs, updatedAt: nowMs },
  };
}

/** Rank of an authority, where a greater number is more; the list of authorities begins with the highest. */
function rankOf(authority: ExtractedItem['authority']): number {
  return KNOWLEDGE_AUTHORITIES.length - KNOWLEDGE_AUTHORITIES.indexOf(authority);
}

function best(candidates: readonly Candidate[], valueOf: (candidate: Candidate) => number) {
  let found: { candidate: Candidate; value: number } | undefined;
  for (const candidate of candidates) {
    const value = valueOf(candidate);
    if (found === undefined || value > found.value) found = { candidate, value };
  }
  return found;
}
