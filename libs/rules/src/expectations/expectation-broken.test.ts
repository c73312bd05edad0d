import { describe, expect, it } from '@jest/globals';
import { Detection } from '@clew/contracts';
import { assistant, called, conversation, user } from '../test-support/conversation.ts';
import { detectBrokenExpectations, expectationBroken } from './expectation-broken.ts';
import type { EvaluatedExpectation } from './violation.ts';

const SENTENCE = 'Never cancel orders.';

function expectation(id: string, change: Partial<EvaluatedExpectation> = {}): EvaluatedExpectation {
  return {
    id: `exp_${id.padStart(26, '0')}`,
    statement: 'cancel_order is never called',
    quote: SENTENCE,
    severity: 'high',
    check: { form: 'never_call', tools: ['cancel_order'] },
    ...change,
  };
}

const cancel = called('cancel_order', { id: 1 }, 'ok');
const snapshot = conversation([
  { role: 'system', content: `You help. ${SENTENCE} Be kind.` },
  user('Cancel it'),
  cancel,
  cancel,
  assistant('Done.'),
]);

describe('a broken Expectation', () => {
  const detections = detectBrokenExpectations([expectation('1')], snapshot);

  it('is one Detection, whichever number of steps broke it, anchored at the first', () => {
    expect(detections).toHaveLength(1);
    expect(detections[0]?.anchor.stepIndex).toBe(2);
    expect(Detection.parse(detections[0])).toEqual(detections[0]);
  });

  it('says what the agent was told and quotes it from the prompt', () => {
    const told = detections[0]?.evidence.find((evidence) => evidence.title === 'What the agent was told');
    expect(told?.location).toMatchObject({ stepIndex: 0, quotes: [{ quote: SENTENCE }] });
    expect(detections[0]?.summary).toContain(SENTENCE);
  });

  it('is as grave as its Expectation says, unless the project overrides its signal', () => {
    const severityOf = (severity: EvaluatedExpectation['severity'], signalOverrides = {}): unknown =>
      detectBrokenExpectations([expectation('1', { severity })], snapshot, {
        ...expectationBroken.defaultConfiguration,
        signalOverrides,
      })[0]?.severity;
    expect([severityOf('low'), severityOf('critical')]).toEqual(['low', 'critical']);
    expect(severityOf('low', { forbidden_call: { enabled: true, severity: 'info' } })).toBe('info');
    expect(severityOf('low', { forbidden_call: { enabled: false, severity: 'info' } })).toBeUndefined();
  });

  it('passes the default thresholds in every form', () => {
    const broken = detectBrokenExpectations(
      [
        expectation('1', { check: { form: 'confirm_before', tools: ['cancel_order'] } }),
        expectation('2', { check: { form: 'requires_first', tools: ['*'], one_of: ['get_order'] } }),
        expectation('3', { check: { form: 'max_calls', tools: ['*'], count: 1 } }),
        expectation('4', { check: { form: 'answer_matches', pattern: 'Thanks' } }),
        expectation('5', { check: { form: 'answer_never_matches', pattern: 'Done' } }),
        expectation('6', { check: { form: 'ends_with', pattern: 'Bye' } }),
      ],
      snapshot,
    );
    expect(broken).toHaveLength(6);
  });
});

describe('the cluster of a broken Expectation', () => {
  const fingerprints = (...ids: string[]): (string | undefined)[] =>
    ids.map((id) => detectBrokenExpectations([expectation(id)], snapshot)[0]?.clusterFingerprint);

  it('is the Expectation: the same in other conversations, another for each id', () => {
    const elsewhere = conversation([user('Hi'), called('cancel_order', { id: 99 }, 'no'), assistant('Hm.')]);
    const [here] = fingerprints('1');
    expect(detectBrokenExpectations([expectation('1')], elsewhere)[0]?.clusterFingerprint).toBe(here);
    // Ids that differ only in parts that a fingerprint masks in names: runs of digits, hexadecimal letters.
    const ids = ['01ARZ3NDEKTSV4RRFFQ12345678', '01ARZ3NDEKTSV4RRFFQ12345679', 'DEADBEEF1', 'DEADBEEF2'].map((id) =>
      id.slice(-26),
    );
    expect(new Set(fingerprints(...ids)).size).toBe(4);
  });

  it('does not change with the words of the Expectation', () => {
    const [before] = detectBrokenExpectations([expectation('1')], snapshot);
    const [after] = detectBrokenExpectations(
      [expectation('1', { statement: 'Other words', severity: 'low' })],
      snapshot,
    );
    expect(after?.clusterFingerprint).toBe(before?.clusterFingerprint);
  });
});

it('a conversation that keeps to everything has no Detection', () => {
  const kept = conversation([user('Hi'), assistant('Hello.')]);
  expect(detectBrokenExpectations([expectation('1')], kept)).toEqual([]);
  expect(detectBrokenExpectations([], snapshot)).toEqual([]);
});

it('an Expectation whose pattern cannot be used keeps no other from being checked', () => {
  const unusable = expectation('2', { check: { form: 'answer_matches', pattern: '(' } });
  expect(detectBrokenExpectations([unusable, expectation('1')], snapshot)).toHaveLength(1);
});
