import { describe, expect, it } from '@jest/globals';
import { Detection, Suspect, type ConversationSnapshot } from '@clew/contracts';
import { hostileRuns, slowTexts } from '@clew/testing/hostile';
import fc from 'fast-check';
import { BUILT_IN_RULES } from '../built-in-rules.ts';
import { MAX_EVIDENCE } from '../evaluate-rule.ts';
import { toolErrorUnhandled } from '../rules/tool-error-unhandled/tool-error-unhandled.ts';
import { assistant, called, conversation, detect, user, type ScriptedMessage } from '../test-support/conversation.ts';
import { diagnose } from './diagnose.ts';
import { FEATURE_NAMES, featuresOf, type ConversationFeatures } from './features.ts';
import { scoreOf } from './score.ts';
import { usualOf } from './usual.ts';

function judge(snapshot: ConversationSnapshot) {
  return diagnose(
    snapshot,
    BUILT_IN_RULES.flatMap((rule) => detect(rule, snapshot)),
  );
}

/** Script in which the agent makes up an account, uses it in a much later call, and ignores the error. */
const madeUpEarly = [
  user('Please refund my last payment.'),
  assistant('I will use the account ACC-774411 for that.'),
  ...called('get_policy', {}, 'Refunds take some days.'),
  ...called('refund_payment', { account: 'ACC-774411' }, 'Error: account ACC-774411 does not exist'),
  assistant('Your refund is on its way.'),
];

describe('a Detection whose symptom goes back to a suspect', () => {
  const snapshot = conversation(madeUpEarly);
  const [symptom] = detect(toolErrorUnhandled, snapshot);
  const [anchored] = diagnose(snapshot, symptom === undefined ? [] : [symptom]).detections;

  it('is anchored there, at the words of the step that brought the value in', () => {
    expect(symptom?.anchor.stepIndex).toBe(5);
    expect(anchored?.anchor).toMatchObject({ stepIndex: 1, spanId: snapshot.messages[1]?.spanId });
    expect(anchored?.anchor.quotes.map(({ quote }) => quote)).toContain('ACC-774411');
  });

  it('shows the symptom first in its evidence, and the cause beside it', () => {
    expect(anchored?.evidence[0]?.location).toEqual(symptom?.anchor);
    expect(anchored?.evidence.at(-1)).toMatchObject({ title: 'Where it may have begun', location: anchored?.anchor });
    expect(Detection.safeParse(anchored).success).toBe(true);
    expect(anchored?.clusterFingerprint).toBe(symptom?.clusterFingerprint);
  });

  it('stays within what a Detection may hold of evidence', () => {
    const [piece] = symptom?.evidence ?? [];
    if (symptom === undefined || piece === undefined) throw new Error('There is no symptom');
    const full = { ...symptom, evidence: Array.from({ length: MAX_EVIDENCE }, () => piece) };
    expect(diagnose(snapshot, [full]).detections[0]?.evidence).toHaveLength(MAX_EVIDENCE);
  });
});

it('a Detection keeps its anchor where the user gave the value that its symptom repeats', () => {
  const snapshot = conversation([
    user('Please refund my last payment to ACC-774411.'),
    assistant('I will use the account ACC-774411 for that.'),
    ...called('refund_payment', { account: 'ACC-774411' }, 'Error: account ACC-774411 does not exist'),
    assistant('Your refund is on its way.'),
  ]);
  const detections = detect(toolErrorUnhandled, snapshot);
  expect(detections).toHaveLength(1);
  expect(diagnose(snapshot, detections).detections).toEqual(detections);
});

it('a conversation counts as failed or not by the scores that its project names, and by no others', () => {
  const given = (name: string, value: number) => [{ id: 's', name, value, source: 'user' as const, createdAt: 1 }];
  const failedBy = (name: string, value: number, overrides: Partial<ConversationSnapshot> = {}) =>
    judge(conversation(madeUpEarly, { scores: given(name, value), ...overrides })).judged?.failed;
  const named = { successScores: [{ name: 'csat', atLeast: 4 }] };
  expect([failedBy('csat', 3), failedBy('csat', 1), failedBy('latency', 0)]).toEqual([undefined, false, true]);
  expect([failedBy('csat', 3, named), failedBy('csat', 4, named)]).toEqual([true, false]);
  expect(failedBy('latency', 0, named)).toBeUndefined();
});

it('a conversation in which a Rule found a problem scores above the same one without', () => {
  const snapshot = conversation(madeUpEarly);
  const [clean, flawed] = [[], detect(toolErrorUnhandled, snapshot)].map((found) => diagnose(snapshot, found).score);
  expect(flawed).toBeGreaterThan(Number(clean) + 0.05);
});

it('a conversation is judged by what is usual in its project', () => {
  const snapshot = conversation(madeUpEarly);
  const calm = featuresOf(conversation([user('Hello'), assistant('Hello.')]), []);
  const own = featuresOf(snapshot, []);
  const scoreWhere = (usual: ConversationFeatures[]) => diagnose(snapshot, [], usualOf(usual)).score;
  expect(scoreWhere([calm, calm])).toBeGreaterThan(scoreWhere([own, own]));
});

describe('suspects', () => {
  it('name the step that made a value up first, with its agent and the reason', () => {
    const [first] = judge(conversation(madeUpEarly, { agents: ['planner'] })).suspects;
    expect(first).toMatchObject({ stepIndex: 1, agent: 'planner' });
    expect(first?.because).toContain('value');
  });

  it('are not blamed for what the user had said, nor for the names that a tool gives to its parameters', () => {
    const timedOut = [
      user('Please send order W-104233 to my new place instead.'),
      ...called('get_order', { order_id: 'W-104233' }, '{"order_id":"W-104233","status":"processing"}'),
      assistant('What is the new address?'),
      user('118 Orchard Lane, Dayton 45402'),
      ...called(
        'update_address',
        { order_id: 'W-104233', street: '118 Orchard Lane', city: 'Dayton', postal_code: '45402' },
        'Error: timed out',
      ),
      assistant('Done, your address is updated.'),
    ];
    const parameters = { properties: { order_id: {}, street: {}, city: {}, postal_code: {} } };
    const tools = ['get_order', 'update_address'].map((name) => ({ name, parameters }));
    const { suspects } = judge(conversation(timedOut, { tools }));
    const reasonOf = (index: number) => suspects.find(({ stepIndex }) => stepIndex === index)?.because;
    expect(reasonOf(1)).toBe('It is among the first steps, and what followed rests on it.');
    expect(reasonOf(5)).toMatch(
      /^What it called led to this: .*timed out.*; the first failure of the conversation answers it\.$/,
    );
  });

  it('are told by the Detection that goes back to a value of theirs', () => {
    const [first] = judge(conversation(madeUpEarly)).suspects;
    expect(first?.because).toMatch(/^A value that came up here first led to this: .*account/);
  });

  it('are of agents alone: nobody is blamed in a conversation without one', () => {
    expect(judge(conversation([user('Hello?'), user('Is anybody there?')])).suspects).toEqual([]);
    expect(judge(conversation([])).suspects).toEqual([]);
  });
});

describe('on any conversation', () => {
  const text = fc.oneof(
    fc.constantFrom('Error: order 17 is locked', 'I assume it is order 4711.', 'Total: $99.50 😀', '', 'ACC-774411'),
    fc.string({ unit: 'binary', maxLength: 200 }),
  );
  const message = fc.oneof(
    text.map((content): ScriptedMessage[] => [user(content)]),
    text.map((content): ScriptedMessage[] => [assistant(content)]),
    fc.tuple(fc.jsonValue(), text).map(([args, result]) => called('update_order', args, result)),
  );

  it('there are at most three suspects, each once, with exact quotes, and the same again for the same conversation', () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 20 }), (script) => {
        const snapshot = conversation(script);
        const { score, suspects, detections } = judge(snapshot);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1);
        expect(Suspect.array().max(3).safeParse(suspects).success).toBe(true);
        expect(new Set(suspects.map(({ stepIndex }) => stepIndex)).size).toBe(suspects.length);
        for (const { stepIndex, quotes } of [...suspects, ...detections.map(({ anchor }) => anchor)]) {
          for (const { quote } of quotes) expect(snapshot.messages[stepIndex]?.content.includes(quote)).toBe(true);
        }
        expect(judge(conversation(script))).toEqual({ score, suspects, detections });
      }),
      { numRuns: 200 },
    );
  });

  const amount = fc.double({ min: 0, max: 20, noNaN: true });
  const features = fc
    .tuple(...FEATURE_NAMES.map(() => amount))
    .map((amounts) => Object.fromEntries(FEATURE_NAMES.map((name, at) => [name, amounts[at]])))
    .map((record) => record as unknown as ConversationFeatures);

  it('the score never falls when more of what counts is there, whatever is usual', () => {
    fc.assert(
      fc.property(features, features, fc.array(features, { maxLength: 5 }), (some, more, others) => {
        const both = Object.fromEntries(
          FEATURE_NAMES.map((name) => [name, some[name] + more[name]]),
        ) as unknown as ConversationFeatures;
        expect(scoreOf(both)).toBeGreaterThanOrEqual(scoreOf(some));
        const usual = usualOf(others);
        expect(scoreOf(both, usual)).toBeGreaterThanOrEqual(scoreOf(some, usual));
        expect(scoreOf(both, usual)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('its features are finite numbers of zero or more', () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 20 }), (script) => {
        const snapshot = conversation(script);
        for (const amount of Object.values(featuresOf(snapshot, []))) expect(amount).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('takes time that is linear in the length of its messages, whatever they hold', () => {
    const diagnoseOf = (content: string) =>
      diagnose(conversation([user(content), assistant(content), ...called('tool', { content }, content)]), []);
    expect(slowTexts(diagnoseOf, hostileRuns(), { length: 5_000, floorMs: 50 })).toEqual([]);
  }, 300_000);
});
