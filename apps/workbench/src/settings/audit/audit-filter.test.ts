import { expect, it } from '@jest/globals';
import { actionText, auditFilter, linesOfEntries } from './audit-filter.ts';

it('asks for what the address names, and leaves out what the API would refuse', () => {
  expect(auditFilter({ actor: 'usr_1', action: 'api-key', target: 'key_1' })).toEqual({
    ...{ actor: 'usr_1', action: 'api-key', target: 'key_1' },
  });
  expect(auditFilter({ action: 'nonsense', after: 'yesterday', before: '2026-02-99' })).toEqual({});
});

it('takes whole days, the last one too', () => {
  const { after = 0, before = 0 } = auditFilter({ after: '2026-11-03', before: '2026-11-03' });
  expect(before - after).toBe(86_400_000);
});

it('says deeds in words', () => {
  expect(actionText('api-key.rotated')).toBe('API key rotated');
  expect(actionText('person.role-changed')).toBe('Person role changed');
});

it('writes one entry a line', () => {
  expect(linesOfEntries([{ a: 1 }, { b: '\n' }])).toBe('{"a":1}\n{"b":"\\n"}\n');
});
