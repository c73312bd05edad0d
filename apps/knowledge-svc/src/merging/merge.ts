import { KNOWLEDGE_AUTHORITIES, MAX_EVIDENCE_OF_ITEM, type ExtractedItem, type ItemEvidence } from '@clew/contracts';
import { decodeSignature, NEAR_DUPLICATE_SIMILARITY, similarityOf } from '@clew/similarity';
import { isReviewed, type StoredItem } from '../items/index.ts';
import { statementOf, type Statement } from './statement.ts';
import { cosineOf, SAME_MEANING } from './vector-bands.ts';

/** What was read in a conversation, its quotes checked. */
export interface NewItem extends Omit<ExtractedItem, 'evidence' | 'embedding'> {
  id: string;
  projectId: string;
  goalId: string;
  conversationId: string;
  evidence: readonly ItemEvidence[];
  /** When the latest of its words were said. */
  saidAt: number;
  statement: Statement;
  vector?: { model: string; values: Float32Array } | undefined;
}

/** An item of the same goal that may say the same, or the contrary. */
export interface Candidate {
  item: StoredItem;
  signature: string;
  subjectKey: string;
  saidAt: number;
  vector?: { model: string; values: Float32Array } | undefined;
}

export type Merge =
  /** `after` is undefined where nothing is to be changed. */
  | { kind: 'merged'; before: StoredItem; after: StoredItem | undefined }
  | { kind: 'created'; item: StoredItem; replaced: { before: StoredItem; after: StoredItem } | undefined };

/** What becomes of an item beside those that there are already. */
export function mergeItem(found: NewItem, candidates: readonly Candidate[], nowMs: number): Merge {
  const same = sameAs(found, candidates);
  if (same !== undefined) return { kind: 'merged', before: same.item, after: withEvidence(same.item, found, nowMs) };
  const item = createdItem(found, nowMs);
  const contrary = contraryTo(found, candidates);
  if (contrary === undefined) return { kind: 'created', item, replaced: undefined };
  const { item: before } = contrary;
  if (!prevails(found, contrary)) {
    // It stands beside it for whoever looks, and is set active by a person where it is right after all.
    return { kind: 'created', item: { ...item, status: 'archived', supersededBy: before.id }, replaced: undefined };
  }
  const after: StoredItem = {
    ...before,
    ...{ status: 'archived', supersededBy: item.id, revision: before.revision + 1, updatedAt: nowMs },
  };
  return { kind: 'created', item: { ...item, supersedes: before.id }, replaced: { before, after } };
}

/** The same words first, then nearly the same words, then the same meaning; never where numbers or names differ. */
function sameAs(found: NewItem, candidates: readonly Candidate[]): Candidate | undefined {
  const { statement, vector } = found;
  const byId = candidates.find(({ item }) => item.id === found.id);
  if (byId !== undefined) return byId;
  const stated = candidates.map((candidate) => ({ candidate, of: statementOf(candidate.item.content) }));
  const exact = stated.find(({ of }) => of.textKey === statement.textKey);
  if (exact !== undefined) return exact.candidate;
  const agreeing = stated.filter(({ of }) => of.claims === statement.claims).map(({ candidate }) => candidate);
  const signature = decodeSignature(statement.signature);
  const near = best(agreeing, (candidate) => similarityOf(signature, decodeSignature(candidate.signature)));
  if (near !== undefined && near.value >= NEAR_DUPLICATE_SIMILARITY) return near.candidate;
  if (vector === undefined) return undefined;
  const alike = best(agreeing, (candidate) =>
    candidate.vector?.model === vector.model ? cosineOf(vector.values, candidate.vector.values) : 0,
  );
  return alike !== undefined && alike.value >= SAME_MEANING ? alike.candidate : undefined;
}

function contraryTo({ statement }: NewItem, candidates: readonly Candidate[]): Candidate | undefined {
  return candidates.find(
    ({ item, subjectKey }) =>
      item.status === 'active' &&
      subjectKey === statement.subjectKey &&
      statementOf(item.content).claims !== statement.claims,
  );
}

/** Whether what was found replaces what contradicts it: with more authority, or with as much and said later. */
function prevails(found: NewItem, { item, saidAt }: Candidate): boolean {
  if (isReviewed(item)) return false;
  const difference = rankOf(found.authority) - rankOf(item.authority);
  return difference > 0 || (difference === 0 && found.saidAt >= saidAt);
}

/** The item with what it rests on besides; undefined where there is nothing new, or a person has decided on it. */
function withEvidence(item: StoredItem, found: NewItem, nowMs: number): StoredItem | undefined {
  if (isReviewed(item) || item.status === 'archived') return undefined;
  const known = new Set(item.evidence.map(placeOf));
  const room = Math.max(0, MAX_EVIDENCE_OF_ITEM - item.evidence.length);
  const evidence = found.evidence.filter((one) => !known.has(placeOf(one))).slice(0, room);
  const authority = rankOf(found.authority) > rankOf(item.authority) ? found.authority : item.authority;
  const confidence = Math.max(item.confidence, found.confidence);
  if (evidence.length === 0 && authority === item.authority && confidence === item.confidence) return undefined;
  return {
    ...item,
    ...{ evidence: [...item.evidence, ...evidence], authority, confidence },
    ...{ revision: item.revision + 1, updatedAt: nowMs },
  };
}

function createdItem(found: NewItem, nowMs: number): StoredItem {
  const { id, projectId, goalId, title, content, kind, confidence, authority, conversationId, evidence } = found;
  const [first] = evidence;
  if (first === undefined) throw new Error('An item without evidence is none');
  return {
    ...{ id, projectId, goalId, status: 'active', title, content, kind, confidence, authority },
    ...{ sourceTraceId: first.traceId, sourceConversationId: conversationId, evidence: [...evidence] },
    ...{ reviewedAt: null, reviewedBy: null, supersedes: null, supersededBy: null },
    ...{ revision: 1, createdAt: nowMs, updatedAt: nowMs },
  };
}

/** The first is the highest. */
function rankOf(authority: ExtractedItem['authority']): number {
  return KNOWLEDGE_AUTHORITIES.length - KNOWLEDGE_AUTHORITIES.indexOf(authority);
}

function placeOf({ conversationId, quote }: ItemEvidence): string {
  return `${conversationId}\n${quote}`;
}

function best(candidates: readonly Candidate[], valueOf: (candidate: Candidate) => number) {
  let found: { candidate: Candidate; value: number } | undefined;
  for (const candidate of candidates) {
    const value = valueOf(candidate);
    if (found === undefined || value > found.value) found = { candidate, value };
  }
  return found;
}
