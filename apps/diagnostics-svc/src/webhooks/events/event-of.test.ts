import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  datasetChanged,
  datasetDeleted,
  envelopeSchema,
  findingChanged,
  knowledgeBackfillEnded,
  knowledgeItemChanged,
  routingKeyOf,
  ruleBackfillEnded,
  WEBHOOK_EVENTS,
  workItemChanged,
  type EnvelopeOf,
  type MessageSpec,
} from '@clew/contracts';
import {
  datasetDeletedEventsOf,
  datasetEventsOf,
  findingEventsOf,
  knowledgeBackfillEventsOf,
  knowledgeItemEventsOf,
  ruleBackfillEventsOf,
  workItemEventsOf,
  type ToldEvent,
} from './event-of.ts';

const EXAMPLES = join(import.meta.dirname, '../../../../../libs/contracts/src/messages/examples');

function exampleOf<Spec extends MessageSpec>(spec: Spec): EnvelopeOf<Spec> {
  const text = readFileSync(join(EXAMPLES, `${routingKeyOf(spec)}.json`), 'utf8');
  return envelopeSchema(spec).parse(JSON.parse(text)) as EnvelopeOf<Spec>;
}

const TOLD: readonly [string, ToldEvent[]][] = [
  ['finding.changed', findingEventsOf(exampleOf(findingChanged))],
  ['work_item.created', workItemEventsOf(exampleOf(workItemChanged))],
  ['knowledge_item.changed', knowledgeItemEventsOf(exampleOf(knowledgeItemChanged))],
  ['dataset.changed', datasetEventsOf(exampleOf(datasetChanged))],
  ['dataset.deleted', datasetDeletedEventsOf(exampleOf(datasetDeleted))],
  ['backfill.ended', ruleBackfillEventsOf(exampleOf(ruleBackfillEnded))],
  ['backfill.ended', knowledgeBackfillEventsOf(exampleOf(knowledgeBackfillEnded))],
];

describe('an event', () => {
  it.each(TOLD)('%s comes from the example of its message, and fits the schema that callers read', (type, events) => {
    expect(events.length).toBeGreaterThan(0);
    for (const event of events) {
      expect(event.eventId).toMatch(/^evt_[0-9A-Z]{26}$/);
      expect(WEBHOOK_EVENTS[event.type].data.parse(event.data)).toEqual(event.data);
    }
    expect(events[0]?.type).toBe(type);
  });

  it('has the same id whenever its message comes, and another one than its neighbours', () => {
    const message = exampleOf(findingChanged);
    const [finding] = message.data.findings;
    const two = { ...message, data: { findings: [finding!, { ...finding!, findingId: 'fnd_2' }] } };
    const ids = findingEventsOf(two).map(({ eventId }) => eventId);
    expect(new Set(ids).size).toBe(2);
    expect(findingEventsOf(two).map(({ eventId }) => eventId)).toEqual(ids);
  });

  it('of a Finding is told once, by what became of it', () => {
    const message = exampleOf(findingChanged);
    const [finding] = message.data.findings;
    const before = { reviewStatus: 'confirmed', resolutionStatus: 'resolved', severity: 'high', listed: true } as const;
    const typeOf = (change: object) =>
      findingEventsOf({ ...message, data: { findings: [{ ...finding!, ...change }] } }).map(({ type }) => type);
    expect(typeOf({ previous: null })).toEqual(['finding.created']);
    expect(typeOf({ previous: before, resolutionStatus: 'regressed' })).toEqual(['finding.regressed']);
    expect(typeOf({ previous: before, resolutionStatus: 'unresolved' })).toEqual(['finding.changed']);
    expect(typeOf({ previous: { ...before, severity: 'low' }, resolutionStatus: 'resolved' })).toEqual([
      'finding.changed',
    ]);
    const unresolved = { ...before, resolutionStatus: 'unresolved' };
    expect(typeOf({ previous: unresolved, resolutionStatus: 'resolved' })).toEqual(['finding.resolved']);
    expect(typeOf({})).toEqual(['finding.changed']);
  });
});
