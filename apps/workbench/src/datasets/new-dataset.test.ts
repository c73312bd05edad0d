import { describe, expect, it } from '@jest/globals';
import { bodyOf, isComplete, NEW_DATASET } from './new-dataset.ts';

describe('a new Dataset', () => {
  it('needs a name, and what its source needs', () => {
    expect(isComplete('name', NEW_DATASET)).toBe(false);
    expect(isComplete('name', { ...NEW_DATASET, name: ' Refunds ' })).toBe(true);
    expect(isComplete('source', NEW_DATASET)).toBe(true);
    expect(isComplete('source', { ...NEW_DATASET, source: 'file' })).toBe(false);
    expect(isComplete('source', { ...NEW_DATASET, source: 'file', hasFile: true })).toBe(true);
    expect(isComplete('source', { ...NEW_DATASET, source: 'collection' })).toBe(false);
  });

  it('says no more than was chosen', () => {
    const schema = { type: 'chat', version: 1 };
    expect(bodyOf({ ...NEW_DATASET, name: ' Refunds ' })).toEqual({ name: 'Refunds', schema });
    expect(bodyOf({ ...NEW_DATASET, name: 'A', source: 'file', objective: 'teach_project_knowledge' })).toEqual({
      name: 'A',
      schema,
    });
  });

  it('that collects begins switched off', () => {
    const given = { ...NEW_DATASET, name: 'A', source: 'collection', objective: 'teach_project_knowledge' } as const;
    expect(bodyOf(given)).toMatchObject({
      ...{ collectionObjective: 'teach_project_knowledge', collectionEnabled: false, collectedRedaction: 'on' },
    });
  });
});
