import { describe, expect, it } from '@jest/globals';
import { type ExpectationChange, type ExpectationCheck } from '@clew/contracts';
import { newId } from '@clew/kernel';
import fc from 'fast-check';
import { changedExpectation, counts, newExpectation, type StoredExpectation } from './expectation.ts';

const CHECKS: readonly ExpectationCheck[] = [
  { form: 'never_call', tools: ['pay'] },
  { form: 'never_call', tools: ['refund'] },
  { form: 'one_call_at_a_time' },
];

const change: fc.Arbitrary<ExpectationChange> = fc.record(
  {
    statement: fc.constantFrom('One', 'Two'),
    severity: fc.constantFrom('low', 'high'),
    status: fc.constantFrom('active', 'proposed', 'off'),
    check: fc.constantFrom(...CHECKS),
  },
  { requiredKeys: [] },
);

function first(status: StoredExpectation['status']): StoredExpectation {
  const fields = {
    id: newId('exp'),
    projectId: newId('prj'),
    statement: 'One',
    severity: 'low',
    source: 'authored',
  } as const;
  return newExpectation({ ...fields, status: status === 'deleted' ? 'off' : status, check: CHECKS[0]! }, 1, 1);
}

/** Check that a worker would make at this moment; `undefined` if the Expectation is not active. */
function checkedNow({ status, check, statement, severity }: StoredExpectation): string | undefined {
  return status === 'active' ? JSON.stringify([check, statement, severity]) : undefined;
}

describe('changes of an Expectation', () => {
  it('are a revision where another thing is checked from then on, and only there', () => {
    fc.assert(
      fc.property(fc.constantFrom('active' as const, 'off' as const), fc.array(change), (status, changes) => {
        let [current, revision, nowMs] = [first(status), 1, 1];
        for (const each of changes) {
          const before = current;
          nowMs += 1;
          const changed = changedExpectation(before, each, revision + 1, nowMs);
          current = changed.expectation;
          expect(changed.isOtherwiseChecked).toBe(checkedNow(before) !== checkedNow(current));
          expect(changed.activated).toBe(Number(current.status === 'active') - Number(before.status === 'active'));
          if (changed.isOtherwiseChecked) revision += 1;
        }
      }),
    );
  });

  it('let a result count where it was found with the check that holds, since it was switched on the last time', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
        let [current, revision] = [first('active'), 1];
        // Check that a worker had at each revision; `undefined` if the Expectation was not active.
        const history = new Map<number, string | undefined>([[1, JSON.stringify(current.check)]]);
        changes.forEach((each, index) => {
          const changed = changedExpectation(current, each, revision + 1, index + 2);
          current = changed.expectation;
          if (changed.isOtherwiseChecked) revision += 1;
          history.set(revision, current.status === 'active' ? JSON.stringify(current.check) : undefined);
        });
        const holds = current.status === 'active' ? JSON.stringify(current.check) : undefined;
        for (let evaluated = 1; evaluated <= revision; evaluated += 1) {
          const since = Array.from({ length: revision - evaluated + 1 }, (_, index) => history.get(evaluated + index));
          const isTheSame = holds !== undefined && since.every((check) => check === holds);
          expect(counts(current, evaluated)).toBe(isTheSame);
        }
      }),
    );
  });

  it('one that is deleted is checked no more, whatever it was, and nothing counts for it', () => {
    fc.assert(
      fc.property(fc.constantFrom('active' as const, 'proposed' as const, 'off' as const), (status) => {
        const { expectation, activated } = changedExpectation(first(status), { status: 'deleted' }, 2, 2);
        expect(activated).toBe(status === 'active' ? -1 : 0);
        expect(counts(expectation, 99)).toBe(false);
      }),
    );
  });
});
