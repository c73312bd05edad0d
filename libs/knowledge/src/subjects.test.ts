import { describe, expect, it } from '@jest/globals';
import { subjectKeyOf, subjectOf, THE_PROJECT } from './subjects.ts';

const BY_ANNA = { text: 'I moved to Porto with Ben Smith', speaker: 'Anna Kowalska' };

describe('the subject of an item', () => {
  it.each([
    ['the speaker, named', { kind: 'person', name: 'Anna Kowalska' }, { kind: 'person', name: 'Anna Kowalska' }],
    ['somebody in the words', { kind: 'person', name: 'Ben  Smith' }, { kind: 'person', name: 'Ben Smith' }],
    [
      'nobody in the words: then the speaker',
      { kind: 'person', name: 'Eve Jones' },
      { kind: 'person', name: 'Anna Kowalska' },
    ],
    ['of no known kind: then the speaker', { kind: 'animal', name: 'Anna' }, { kind: 'person', name: 'Anna Kowalska' }],
    ['not told: then the speaker', null, { kind: 'person', name: 'Anna Kowalska' }],
    ['the project', { kind: 'project', name: 'whatever' }, THE_PROJECT],
  ])('is %s', (_name, claimed, expected) => {
    expect(subjectOf(claimed, [BY_ANNA])).toEqual(expected);
  });

  it('is the project where nobody speaks of himself, or several do', () => {
    expect(subjectOf(undefined, [{ text: 'Refunds take 5 days', speaker: 'Anna' }])).toEqual(THE_PROJECT);
    expect(subjectOf(undefined, [BY_ANNA, { text: 'I did too', speaker: 'Ben' }])).toEqual(THE_PROJECT);
    expect(subjectOf(undefined, [{ text: 'I moved' }])).toEqual(THE_PROJECT);
  });

  it('is found by its name in any case, spacing and accents', () => {
    expect(subjectKeyOf('  José  ÁLVAREZ ')).toBe(subjectKeyOf('jose alvarez'));
    expect(subjectKeyOf('User-7')).toBe('user-7');
    expect(subjectKeyOf('?!')).toBe('?!');
  });
});
