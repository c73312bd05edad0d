import { describe, expect, it } from '@jest/globals';
import { Expectation, ExpectationCheck } from './expectations.ts';

const VALID: readonly ExpectationCheck[] = [
  { form: 'confirm_before', tools: ['cancel_*'] },
  { form: 'requires_first', tools: ['*'], one_of: ['find_user'], agent: 'support' },
  { form: 'never_call', tools: ['git.push'] },
  { form: 'max_calls', tools: ['search'], count: 3 },
  { form: 'one_call_at_a_time' },
  { form: 'no_words_with_calls', agent: 'Support Agent' },
  { form: 'grounded_arguments', tools: ['*'], parameters: ['order_id'] },
  { form: 'answer_matches', pattern: '^\\{' },
  { form: 'answer_never_matches', pattern: 'x'.repeat(500) },
  { form: 'ends_with', tools: ['close'] },
  { form: 'ends_with', pattern: 'bye' },
];

describe('the check of an Expectation', () => {
  it.each(VALID)('takes $form', (check) => {
    expect(ExpectationCheck.parse(check)).toEqual(check);
  });

  const refused: readonly (readonly [string, unknown])[] = [
    ['a form that does not exist', { form: 'be_nice' }],
    ['no form', { tools: ['x'] }],
    ['a field of another form', { form: 'never_call', tools: ['x'], pattern: 'x' }],
    ['an unknown field', { form: 'one_call_at_a_time', why: 'x' }],
    ['no tools', { form: 'never_call', tools: [] }],
    ['too many tools', { form: 'never_call', tools: Array.from({ length: 51 }, (_, index) => `tool_${index}`) }],
    ['an empty name of a tool', { form: 'never_call', tools: [''] }],
    ['a name of a tool in two lines', { form: 'never_call', tools: ['a\nb'] }],
    ['a count of nothing, which never_call says', { form: 'max_calls', tools: ['x'], count: 0 }],
    ['half a call', { form: 'max_calls', tools: ['x'], count: 1.5 }],
    ['a pattern beyond 500 characters', { form: 'answer_matches', pattern: 'x'.repeat(501) }],
    ['an empty pattern', { form: 'answer_matches', pattern: '' }],
    ['an end without tools and pattern', { form: 'ends_with' }],
  ];
  it.each(refused)('refuses %s', (_, check) => {
    expect(ExpectationCheck.safeParse(check).success).toBe(false);
  });
});

describe('an Expectation', () => {
  const expectation = {
    id: 'exp_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    projectId: 'prj_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    statement: 'Confirm before a change',
    source: 'compiled',
    quote: 'Confirm before a change.',
    promptHash: 'a'.repeat(64),
    status: 'active',
    severity: 'high',
    check: VALID[0],
    createdAt: 1,
    updatedAt: 2,
  };

  it('is read back as it was written', () => {
    expect(Expectation.parse(expectation)).toEqual(expectation);
  });

  it.each([{ id: 'fnd_01ARZ3NDEKTSV4RRFFQ69G5FAV' }, { status: 'paused' }, { source: 'guessed' }, { extra: 1 }])(
    'refuses %j',
    (change) => {
      expect(Expectation.safeParse({ ...expectation, ...change }).success).toBe(false);
    },
  );
});
