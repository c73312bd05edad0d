import { describe, expect, it } from '@jest/globals';
import type { Api } from '@clew/sdk';
import { tagsOf } from '../examples/tags.ts';
import { afterChange, bulkSummary, tagChange, tagsIn } from './bulk.ts';

const example = (id: string, tags: string[]): Api.Example => ({
  ...{ id, projectId: 'p', datasetId: 'd', tags, version: 1, createdAt: 1, updatedAt: 1 },
  source: { kind: 'manual', externalRef: 'x' },
  payload: { input: { type: 'text', text: id } },
});

describe('tags', () => {
  it('are typed with commas, each once', () => {
    expect(tagsOf(' a, b ,,a')).toEqual(['a', 'b']);
  });

  it('make a change where there is one, and none is added and removed', () => {
    expect(tagChange('a, b', ['b', 'c'])).toEqual({ addTags: ['a', 'b'], removeTags: ['c'] });
    expect(tagChange(' ', [])).toBeUndefined();
  });

  it('are counted over Examples', () => {
    expect(tagsIn([example('1', ['a']), example('2', ['b', 'a'])])).toEqual([
      { tag: 'a', number: 2 },
      { tag: 'b', number: 1 },
    ]);
  });
});

describe('a change of many', () => {
  const refused = { exampleId: '3', outcome: 'refused' as const, error: { error: 'Conflict', message: 'has changed' } };

  it('shows in the list as far as it was made', () => {
    const outcomes = [{ exampleId: '1', outcome: 'updated' as const, version: 7 }, refused];
    const rows = [example('1', ['a', 'b']), example('2', ['a']), example('3', ['a'])];
    const after = afterChange(rows, outcomes, { addTags: ['c'], removeTags: ['a'] });
    expect(after.map(({ tags, version }) => [tags, version])).toEqual([
      [['b', 'c'], 7],
      [['a'], 1],
      [['a'], 1],
    ]);
    expect(afterChange(rows, [{ exampleId: '2', outcome: 'deleted' }], { delete: true })).toHaveLength(2);
  });

  it('is summed up with the reasons of refusals', () => {
    expect(bulkSummary([{ exampleId: '1', outcome: 'updated' }, refused])).toBe('1 tagged, 1 refused: has changed');
    expect(bulkSummary([])).toBe('Nothing changed');
  });
});
