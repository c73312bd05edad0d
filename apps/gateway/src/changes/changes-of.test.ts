import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { AUDIT_ACTIONS, CHANGE_READERS, CHANGE_TYPES } from '@clew/contracts';
import { allMessages } from '@clew/contracts/all-messages';
import { changesOf, TOLD_EVENTS, type Event } from './changes-of.ts';

const EXAMPLES = join(import.meta.dirname, '../../../../libs/contracts/src/messages/examples');

function exampleOf(type: string): Event {
  const file = readdirSync(EXAMPLES).find((name) => name.startsWith(`${type}.v`));
  return JSON.parse(readFileSync(join(EXAMPLES, file ?? ''), 'utf8')) as Event;
}

describe('an event of a service', () => {
  it.each(TOLD_EVENTS.map(({ type }) => type))('%s names what has changed', (type) => {
    const changes = changesOf(exampleOf(type));
    expect(changes.length).toBeGreaterThan(0);
    for (const { id } of changes) expect(id).not.toBe('');
  });

  it('reaches the gateway exactly if listeners hear of it, or the gateway itself heeds it', () => {
    const heard = allMessages().filter(({ heardBy }) => heardBy?.includes('gateway') === true);
    const heeded = ['gateway.user.changed', 'gateway.session.changed', 'gateway.project.deleted'];
    expect(heard.map(({ type }) => type).toSorted()).toEqual(
      [...TOLD_EVENTS.map(({ type }) => type), ...heeded].toSorted(),
    );
  });

  it('of which listeners hear nothing names nothing', () => {
    const told = new Set<string>(TOLD_EVENTS.map(({ type }) => type));
    for (const { type, kind } of allMessages()) {
      if (kind === 'event' && !told.has(type)) expect(changesOf(exampleOf(type))).toEqual([]);
    }
  });
});

describe('a deed of a service', () => {
  const deed = exampleOf('audit.deed.recorded');
  const changesBy = (action: string) =>
    changesOf({ ...deed, data: { ...deed.data, action } } as Event).map(({ type }) => type);

  it.each([
    ['learning-goal.changed', 'goal'],
    ['webhook.secret-rotated', 'webhook'],
    ['diagnostics-settings.changed', 'diagnosticSettings'],
  ])('%s tells of a %s', (action, type) => {
    expect(changesBy(action)).toEqual([type]);
  });

  it.each(['session.signed-in', 'constructor.called', 'something.new'])('%s tells of nothing', (action) => {
    expect(changesBy(action)).toEqual([]);
  });

  it('tells of things that some route reads', () => {
    for (const type of AUDIT_ACTIONS.flatMap(changesBy)) expect(CHANGE_TYPES).toContain(type);
    expect(Object.keys(CHANGE_READERS).toSorted()).toEqual(CHANGE_TYPES.toSorted());
  });
});
