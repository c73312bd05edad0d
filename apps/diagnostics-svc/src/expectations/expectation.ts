import type { CheckedExpectation, Expectation, ExpectationChange, ExpectationStatus } from '@clew/contracts';
import { canonicalJson, sha256Hex } from '@clew/kernel';
import { expectationFingerprint } from '@clew/rules';
import { findingIdOf } from '../findings/occurrence.ts';

/** An Expectation as it is stored. */
export interface StoredExpectation extends Omit<Expectation, 'status'> {
  /** One that is deleted is hidden, and stays until it is withdrawn. */
  status: ExpectationStatus | 'deleted';
  /** Of its check, by which it is known that a prompt states it again. */
  checkHash: string;
  /** The Finding of those conversations that break it. */
  findingId: string;
  /** What was evaluated with an earlier revision of the project's Expectations says nothing about it. */
  since: number;
  /** What was evaluated with an earlier one may tell of it in other words than those that hold. */
  revised: number;
}

/** What a change of an Expectation does to those of its project. */
export interface ChangedExpectation {
  expectation: StoredExpectation;
  /** Whether conversations are checked otherwise from now on. */
  isOtherwiseChecked: boolean;
  /** How many more are active: -1, 0 or 1. */
  activated: number;
}

type NewFields = Pick<Expectation, 'id' | 'projectId' | 'statement' | 'source' | 'status' | 'severity' | 'check'> &
  Partial<Pick<Expectation, 'quote' | 'promptHash'>>;

/** A new one; `revision` is that of the project's Expectations with it. */
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
 * The Expectation after a change; `next` is the revision that the project's Expectations have if it counts. What was
 * found with an earlier check, or before it was switched on again, no longer counts; other words for it leave that as it
 * is.
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

/** Whether what was found with a revision of the project's Expectations counts. */
export function counts(expectation: StoredExpectation | undefined, revision: number): boolean {
  return expectation !== undefined && isActive(expectation) && revision >= expectation.since;
}

export function checkHashOf(check: Expectation['check']): string {
  return sha256Hex(canonicalJson(check));
}

/** As callers see it. */
export function expectationView(expectation: StoredExpectation): Expectation {
  const { checkHash: _hash, findingId: _finding, since: _since, revised: _revised, ...shown } = expectation;
  return shown as Expectation;
}

/** As workers check it. */
export function checkedExpectation({ id, statement, severity, check, quote }: StoredExpectation): CheckedExpectation {
  return { id, statement, severity, check, ...(quote === undefined ? {} : { quote }) };
}

export function expectationEtag(expectation: StoredExpectation): string {
  return `"${sha256Hex(canonicalJson(expectationView(expectation))).slice(0, 32)}"`;
}

/** What a project expects of its agents: its active Expectations, and the revision that grows with each change of them. */
export interface CheckedSet {
  revision: number;
  active: readonly CheckedExpectation[];
}
