import { describe, expect, it } from '@jest/globals';
import { previewOf } from './preview.ts';

const said = (role: string, content: string) => ({ role, content });

describe('the preview of a conversation', () => {
  it('begins with the first words of a user', () => {
    expect(previewOf([said('system', 'You help.'), said('user', ''), said('user', 'Hello?')])).toBe('Hello?');
  });

  it('is that of the first message where no user says anything', () => {
    expect(previewOf([said('assistant', 'Good morning.'), said('tool', '{}')])).toBe('Good morning.');
    expect(previewOf([])).toBe('');
  });

  it('ends after 200 characters, and never within one', () => {
    expect(previewOf([said('user', 'a'.repeat(199) + '😀')])).toBe('a'.repeat(199) + '\ufffd');
  });
});
