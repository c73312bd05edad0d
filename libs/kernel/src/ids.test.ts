import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { derivedId, idPattern, newId } from './ids.ts';

const parts = fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 5 });

describe('newId', () => {
  it('makes ids that fit their pattern, each after the one before', () => {
    const ids = Array.from({ length: 10_000 }, () => newId('req'));
    expect(ids.every((id) => idPattern('req').test(id))).toBe(true);
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('derivedId', () => {
  it('is always the same for the same parts, and fits its pattern', () => {
    fc.assert(
      fc.property(parts, (given) => {
        const id = derivedId('fnd', ...given);
        expect(id).toMatch(idPattern('fnd'));
        expect(derivedId('fnd', ...given)).toBe(id);
      }),
    );
  });

  it('differs when any part does, or only where one part ends and the next begins', () => {
    fc.assert(
      fc.property(parts, parts, (some, others) => {
        const same = some.length === others.length && some.every((part, index) => part === others[index]);
        expect(derivedId('fnd', ...some) === derivedId('fnd', ...others)).toBe(same);
      }),
    );
    expect(derivedId('fnd', 'a', 'bc')).not.toBe(derivedId('fnd', 'ab', 'c'));
    expect(derivedId('fnd', 'abc')).not.toBe(derivedId('fnd', 'ab', 'c'));
    expect(derivedId('fnd', 'a')).not.toBe(derivedId('fnd', 'a', ''));
  });

  it('makes today what it made before: stored ids depend on it', () => {
    expect(derivedId('fnd', 'prj_1', 'rule', 'signature')).toBe('fnd_90029FDRVDFJ83SMB0EV9M6MX8');
  });
});

describe('idPattern', () => {
  it.each(['prj_01KAJYX2M00000000000000000', 'usr_7ZZZZZZZZZZZZZZZZZZZZZZZZZ'])('accepts %s', (id) => {
    expect(id).toMatch(idPattern('prj', 'usr'));
  });

  it.each([
    'prj_01kajyx2m00000000000000000',
    'prj_01KAJYX2M0000000000000000I',
    'prj_01KAJYX2M0000000000000000',
    'key_01KAJYX2M00000000000000000',
    'prj_01KAJYX2M00000000000000000 ',
    'prj_01KAJYX2M00000000000000000\n',
    'xprj_01KAJYX2M00000000000000000',
  ])('refuses %j', (id) => {
    expect(id).not.toMatch(idPattern('prj', 'usr'));
  });
});
