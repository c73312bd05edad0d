import type { CheckedExpectation, Expectation, ExpectationChange, ExpectationStatus } from '@clew/contracts';
import { canonicalJson, sha256Hex } from '@clew/kernel';
import { expectationFingerprint } from '@clew/rules';
import { findingIdOf } from '../findings/occurrence.ts';

export interface StoredExpectation extends Omit<Expectation, 'status'> {
  /** A deleted Expectation is hidden, and kept until it is withdrawn from all conversations. */
  status: ExpectationStatus | 'deleted';
  /** Hash of its check, by which a repeated statement of a prompt is recognized. */
  checkHash: string;
  /** Finding of the conversations that break it. */
  findingId: string;
  /** Revision of the project's Expectations from which on results count; earlier ones used another check. */
  since: number;
  /** Revision from which on results use the current statement and severity; earlier ones may use former words. */
  revised: number;
}

/** Effect of a change on the Expectations of the project. */
export interface ChangedExpectation {
  expectation: StoredExpectation;
  /** Whether conversations are checked differently from now on. */
  isOtherwiseChecked: boolean;
  /** Change of the number of active Expectations: -1, 0 or 1. */
  activated: number;
}

type NewFields = Pick<Expectation, 'id' | 'projectId' | 'statement' | 'source' | 'status' | 'severity' | 'check'> &
  Partial<Pick<Expectation, 'quote' | 'promptHash'>>;

/** New Expectation; `revision` is that of the project's Expectations including this one. */
export function newExpectation(fields: NewFields, revision: number, nowMs: number): StoredExpectation {
  const { id, projectId, check } = fields;
  return {
    ...fields,
    checkHash: checkHashOf(check),
    findingId: findingIdOf(projectId, expectationFingerprint(projectId, id)),
    since: revision,
    revised: revision,
    createdAt: nowMs,
    updatedAt: nowMs,
  };
}

/**
 * Expectation after a change; `next` is the revision of the project's Expectations if the change counts. Results from
 * an earlier check, or from before it was switched on again, no longer count. New words for the same check do not
 * affect that.
 */
export function changedExpectation(
  before: StoredExpectation,
  change: ExpectationChange | { status: 'deleted' },
  next: number,
  nowMs: number,
): ChangedExpectation {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const changed: StoredExpectation = { ...before, ...given };
  const checkHash = checkHashOf(changed.check);
  const [was, is] = [isActive(before), isActive(changed)];
  const isAnotherCheck = checkHash !== before.checkHash;
  const areOtherWords = changed.statement !== before.statement || changed.severity !== before.severity;
  const isSame = !isAnotherCheck && !areOtherWords && changed.status === before.status;
  const isOtherwiseChecked = was !== is || (is && (isAnotherCheck || areOtherWords));
  return {
    expectation: {
      ...changed,
      checkHash,
      since: is && (!was || isAnotherCheck) ? next : before.since,
      revised: isOtherwiseChecked ? next : before.revised,
      updatedAt: isSame ? before.updatedAt : nowMs,
    },
    isOtherwiseChecked,
    activated: Number(is) - Number(was),
  };
}

export function isActive({ status }: Pick<StoredExpectation, 'status'>): boolean {
  return status === 'active';
}

/** Whether results found with a revision of the project's Expectations count. */
export function counts(expectation: StoredExpectation | undefined, revision: number): boolean {
  return expectation !== undefined && isActive(expectation) && revision >= expectation.since;
}

export function checkHashOf(check: Expectation['check']): string {
  return sha256Hex(canonicalJson(check));
}

/** Expectation as callers see it. */
export function expectationView(expectation: StoredExpectation): Expectation {
  const { checkHash: _hash, findingId: _finding, since: _since, revised: _revised, ...shown } = expectation;
  return shown as Expectation;
}

/** Expectation as workers check it. */
export function checkedExpectation({ id, statement, severity, check, quote }: StoredExpectation): CheckedExpectation {
  return { id, statement, severity, check, ...(quote === undefined ? {} : { quote }) };
}

export function expectationEtag(expectation: StoredExpectation): string {
  return `"${sha256Hex(canonicalJson(expectationView(expectation))).slice(0, 32)}"`;
}

/** Active Expectations of a project, with the revision that grows with each change of them. */
export interface CheckedSet {
  revision: number;
  active: readonly CheckedExpectation[];
}
