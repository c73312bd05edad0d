import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EVENT_GROUPS, eventsText, isChosen, withChoice, type EventChoice } from './webhook-events.ts';

const ALL: EventChoice[] = EVENT_GROUPS.flatMap(({ events }) => [...events]);

describe('choices of events', () => {
  it('stand for their group, and for everything', () => {
    expect(isChosen(['finding.*'], 'finding.created')).toBe(true);
    expect(isChosen(['*'], 'dataset.deleted')).toBe(true);
    expect(isChosen(['finding.created'], 'finding.changed')).toBe(false);
  });

  it('change one event and no other', () => {
    fc.assert(
      fc.property(fc.subarray(ALL), fc.constantFrom(...ALL), (chosen, event) => {
        const next = withChoice(chosen, event);
        for (const each of ALL) expect(isChosen(next, each)).toBe(isChosen(chosen, each) !== (each === event));
      }),
    );
  });

  it('become a group once all of it is chosen, and are split when one is left out', () => {
    expect(withChoice(['dataset.changed'], 'dataset.deleted')).toEqual(['dataset.*']);
    expect(withChoice(['*'], 'backfill.ended')).not.toContain('*');
  });

  it('are said in words', () => {
    expect(eventsText(['*'])).toBe('Everything');
    expect(eventsText(['finding.*', 'dataset.changed'])).toBe('All of Findings, dataset changed');
  });
});
