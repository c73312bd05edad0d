import type { Api } from '@clew/sdk';

export type EventChoice = Api.Webhook['events'][number];

/** Events that can be chosen, by what they are about. */
export const EVENT_GROUPS = [
  {
    all: 'finding.*',
    label: 'Findings',
    events: ['finding.created', 'finding.resolved', 'finding.regressed', 'finding.changed'],
  },
  {
    all: 'work_item.*',
    label: 'Work items',
    events: ['work_item.created', 'work_item.sync_failed', 'work_item.changed'],
  },
  {
    all: 'knowledge_item.*',
    label: 'Knowledge items',
    events: ['knowledge_item.created', 'knowledge_item.changed'],
  },
  { all: 'dataset.*', label: 'Datasets', events: ['dataset.changed', 'dataset.deleted'] },
  { all: 'failure_rate.*', label: 'Failure rate', events: ['failure_rate.exceeded'] },
  { all: 'backfill.*', label: 'Backfills', events: ['backfill.ended'] },
] as const satisfies readonly { all: EventChoice; label: string; events: readonly EventChoice[] }[];

/** Whether an event is sent with these choices. */
export function isChosen(choices: readonly EventChoice[], event: EventChoice): boolean {
  const group = EVENT_GROUPS.find(({ events }) => (events as readonly EventChoice[]).includes(event));
  return choices.includes('*') || choices.includes(event) || (group !== undefined && choices.includes(group.all));
}

/** Choices after one was made or taken back: whole groups and everything stand for their events. */
export function withChoice(choices: readonly EventChoice[], event: EventChoice): EventChoice[] {
  const all: EventChoice[] = EVENT_GROUPS.flatMap(({ events }) => [...events]);
  const chosen = all.filter((each) => isChosen(choices, each) !== (each === event));
  if (chosen.length === all.length) return ['*'];
  return EVENT_GROUPS.flatMap(({ all: whole, events }): EventChoice[] => {
    const of = events.filter((each) => chosen.includes(each));
    return of.length === events.length ? [whole] : of;
  });
}

/** Choices in words. */
export function eventsText(choices: readonly EventChoice[]): string {
  if (choices.includes('*')) return 'Everything';
  const labels = new Map<EventChoice, string>(EVENT_GROUPS.map(({ all, label }) => [all, `all of ${label}`]));
  const text = choices.map((choice) => labels.get(choice) ?? eventText(choice)).join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Event in words: `finding.created` as `finding created`. */
export function eventText(event: string): string {
  return event.replaceAll('.', ' ').replaceAll('_', ' ');
}
