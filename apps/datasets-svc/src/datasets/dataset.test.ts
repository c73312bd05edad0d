import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { COLLECTION_OBJECTIVES, DatasetChange, NewDataset } from '@clew/contracts';
import { changedSettings, datasetView, neededModel, newSettings, type StoredDataset } from './dataset.ts';

const NOW = 1_780_000_000_000;

function stored(fields: object = {}): StoredDataset {
  const input = NewDataset.parse({ name: 'a Dataset', schema: { type: 'chat', version: 1 }, ...fields });
  const counted = { exampleCount: 0, version: 0, contentId: 'dsv_1' };
  return { id: 'dst_1', projectId: 'prj_1', ...newSettings(input), ...counted, createdAt: NOW, updatedAt: NOW };
}

const unavailable = new Map([['service/auto', { available: false, reason: 'no service/auto' }]]);
const available = new Map([['service/auto', { available: true, reason: null }]]);
const change = (dataset: StoredDataset, fields: object) => ({
  ...dataset,
  ...changedSettings(dataset, DatasetChange.parse(fields)),
});

describe('the collection policy', () => {
  it('is null without an objective, and collecting is off', () => {
    expect(datasetView(stored(), unavailable)).toMatchObject({
      collectionPolicy: null,
      collectionEnabled: true,
      collectedRedaction: 'on',
      collectionStatus: 'off',
      blockedReason: null,
    });
  });

  it('needs no model to preserve successful behavior', () => {
    const dataset = stored({ collectionObjective: 'preserve_successful_behavior' });
    expect(neededModel(dataset)).toBeUndefined();
    expect(datasetView(dataset, unavailable)).toMatchObject({
      collectionPolicy: { objective: 'preserve_successful_behavior', revision: '1' },
      collectionStatus: 'ready',
      blockedReason: null,
    });
  });

  it.each(COLLECTION_OBJECTIVES.filter((objective) => objective !== 'preserve_successful_behavior'))(
    'of %s uses service/auto by default, and says what it waits for while there is none',
    (objective) => {
      const dataset = stored({ collectionObjective: objective });
      expect(datasetView(dataset, unavailable)).toMatchObject({
        collectionPolicy: { objective, model: 'service/auto' },
        collectionStatus: 'setup_required',
        blockedReason: 'no service/auto',
      });
      expect(datasetView(dataset, available)).toMatchObject({ collectionStatus: 'ready', blockedReason: null });
    },
  );

  it('is off while the Dataset is frozen, whatever its model', () => {
    const dataset = stored({ collectionObjective: 'teach_project_knowledge', collectionEnabled: false });
    expect(datasetView(dataset, unavailable)).toMatchObject({ collectionStatus: 'off', blockedReason: null });
  });

  it('holds its filters, and loses them by null', () => {
    const collectionFilters = { knowledgeGoalIds: ['goal_1'] };
    const dataset = stored({ collectionObjective: 'teach_project_knowledge', collectionFilters });
    expect(datasetView(dataset, available).collectionPolicy).toMatchObject({ filters: collectionFilters });
    const without = change(dataset, { collectionFilters: null });
    expect(datasetView(without, available).collectionPolicy).not.toHaveProperty('filters');
  });

  it('has a new revision exactly when it is another policy, and never one again that it had', () => {
    const changes = fc.record(
      {
        collectionObjective: fc.constantFrom(null, ...COLLECTION_OBJECTIVES),
        collectionEnabled: fc.boolean(),
        name: fc.constantFrom('a', 'b'),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(changes, { maxLength: 10 }), (steps) => {
        let dataset = stored();
        const revisions = new Set<string>();
        for (const fields of steps.filter((step) => Object.keys(step).length > 0)) {
          const next = change(dataset, fields);
          const samePolicy = JSON.stringify(next.policy) === JSON.stringify(dataset.policy);
          expect(next.policyRevision === dataset.policyRevision).toBe(samePolicy);
          const { collectionPolicy } = datasetView(next, available);
          if (!samePolicy && collectionPolicy !== null) {
            expect(revisions).not.toContain(collectionPolicy.revision);
            revisions.add(collectionPolicy.revision);
          }
          dataset = next;
        }
      }),
    );
  });

  it.each([{ collectionModel: 'openai/gpt' }, { collectionFilters: { knowledgeGoalIds: [] } }])(
    'is refused where %j comes without an objective',
    (fields) => {
      expect(() => stored(fields)).toThrow('needs a collectionObjective');
      expect(() => change(stored(), fields)).toThrow('needs a collectionObjective');
    },
  );
});
