import { describe, expect, it } from '@jest/globals';
import { checkDraft, checkOf, checkText, FORM_IDS, type Check } from './check-form.ts';

const CHECKS: readonly Check[] = [
  { form: 'confirm_before', tools: ['refund'] },
  { form: 'requires_first', agent: 'billing', tools: ['refund'], one_of: ['lookup', 'search_*'] },
  { form: 'never_call', tools: ['delete_*'] },
  { form: 'max_calls', tools: ['search'], count: 3 },
  { form: 'one_call_at_a_time' },
  { form: 'no_words_with_calls' },
  { form: 'grounded_arguments', tools: ['refund'], parameters: ['order_id'] },
  { form: 'answer_matches', pattern: '^Dear' },
  { form: 'answer_never_matches', pattern: 'sorry' },
  { form: 'ends_with', pattern: 'bye' },
];

describe('a check', () => {
  it('of every form is the same after it was shown as a form', () => {
    expect(CHECKS.map(({ form }) => form)).toEqual(FORM_IDS);
    for (const check of CHECKS) expect(checkOf(checkDraft(check))).toEqual(check);
  });

  it('is none while something is missing', () => {
    expect(checkOf({ ...checkDraft({ form: 'never_call', tools: [] }) })).toBeUndefined();
    expect(checkOf({ ...checkDraft({ form: 'max_calls', tools: ['a'], count: 1 }), count: '0' })).toBeUndefined();
    expect(checkOf(checkDraft({ form: 'ends_with' }))).toBeUndefined();
  });

  it('leaves behind what another form had', () => {
    const draft = { ...checkDraft({ form: 'max_calls', tools: ['a'], count: 3 }), form: 'never_call' as const };
    expect(checkOf(draft)).toEqual({ form: 'never_call', tools: ['a'] });
  });

  it('is said in a line', () => {
    expect(checkText({ form: 'max_calls', tools: ['search'], count: 3 })).toBe('Calls at most so often search 3 times');
    expect(checkText({ form: 'answer_matches', agent: 'desk', pattern: '^Dear' })).toBe(
      'Each answer matches /^Dear/ (desk)',
    );
  });
});
