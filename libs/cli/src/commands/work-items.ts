import type { Api } from '@clew/sdk';
import type { Context, Verb } from '../command.ts';
import { usageError } from '../exit.ts';
import { list } from '../list.ts';
import { choice, IDEMPOTENCY_KEY, own } from '../options.ts';
import { WORK_ITEM_COLUMNS } from '../output/columns.ts';
import { column } from '../output/cells.ts';
import { state } from '../output/columns.ts';
import { destinationOf } from '../trackers.ts';

const TRACKERS = ['github', 'gitlab', 'jira', 'linear'] as const;

const HANDOFF = [
  own('--to <tracker>', 'issue tracker', { values: TRACKERS, isStrict: true, isRequired: true }),
  own('--destination <place>', 'owner/repo, a project id, PROJECT or PROJECT/type, or a team id; else the default'),
  own('--connector <connector>', 'connector, where there are several'),
  own('--existing <key>', 'issue that is there already'),
  IDEMPOTENCY_KEY,
];

/** Makes a verb that does something with a work item and shows it. */
function acting(name: 'retry' | 'abandon', summary: string): Verb {
  return {
    ...{ name, summary, args: '<finding> <work-item>', example: `work-items ${name} fnd_1 wi_1` },
    async run(context) {
      const clew = await context.client();
      const item = await clew.workItems[name](context.arg(0), context.arg(1), { signal: context.signal });
      await context.output.rows([item], WORK_ITEM_COLUMNS, item);
    },
  };
}

/** Verbs of work items. */
export const VERBS: readonly Verb[] = [
  list({
    ...{ summary: 'list work items, of the project or of one Finding', args: '[finding]' },
    options: [
      choice('--status <status>', 'only with this status', ['provisioning', 'planned', 'in_progress', 'done']),
      choice('--tracker <tracker>', 'only in this tracker', TRACKERS, { sets: 'provider' }),
      choice('--sync-state <state>', 'only in this state', ['pending', 'synced', 'error']),
    ],
    ...{ columns: WORK_ITEM_COLUMNS, example: 'work-items list --status planned' },
    call: (clew, query, { args: [finding] }) =>
      finding === undefined ? clew.workItems.list(query) : clew.workItems.listOfFinding(finding, query),
  }),
  {
    ...{
      name: 'show',
      summary: 'show a work item',
      args: '<finding> <work-item>',
      example: 'work-items show fnd_1 wi_1',
    },
    async run(context) {
      const clew = await context.client();
      const item = await clew.workItems.get(context.arg(0), context.arg(1), { signal: context.signal });
      await context.output.record(item, WORK_ITEM_COLUMNS);
    },
  },
  {
    ...{ name: 'create', summary: 'hand a Finding to an issue tracker', args: '<finding>', options: HANDOFF },
    example: 'work-items create fnd_1 --to github --destination acme/shop',
    async run(context) {
      const clew = await context.client();
      const item = await clew.workItems.create(context.arg(0), handoffOf(context), context.query());
      await context.output.rows([item], WORK_ITEM_COLUMNS, item);
    },
  },
  {
    ...{
      name: 'replace',
      summary: 'hand it to another place instead',
      args: '<finding> <work-item>',
      options: HANDOFF,
    },
    example: 'work-items replace fnd_1 wi_1 --to jira --destination SHOP/Bug',
    async run(context) {
      const clew = await context.client();
      const item = await clew.workItems.replace(context.arg(0), context.arg(1), handoffOf(context), context.query());
      await context.output.rows([item], WORK_ITEM_COLUMNS, item);
    },
  },
  {
    ...{ name: 'sync', summary: 'read the state of the issue now', args: '<finding> <work-item>' },
    example: 'work-items sync fnd_1 wi_1',
    async run(context) {
      const clew = await context.client();
      const synced = await clew.workItems.sync(context.arg(0), context.arg(1), { signal: context.signal });
      await context.output.record(synced, [
        column('OUTCOME', ({ outcome }) => outcome),
        column('FINDING', ({ finding }) => finding.id),
        column('RESOLUTION', ({ finding }) => state(finding.resolutionStatus)),
      ]);
    },
  },
  acting('retry', 'try again what failed'),
  acting('abandon', 'give a work item up; the Finding is free for another'),
];

function handoffOf(context: Context): Api.NewWorkItem {
  const provider = context.text('to') as (typeof TRACKERS)[number];
  const [place, connectorId, existing] = [
    context.text('destination'),
    context.text('connector'),
    context.text('existing'),
  ];
  const destination = place === undefined ? undefined : destinationOf(provider, place);
  if (place !== undefined && destination === undefined) throw usageError(`${place} is no place of ${provider}`);
  return {
    provider,
    ...(destination === undefined ? {} : { destination }),
    ...(connectorId === undefined ? {} : { connectorId }),
    ...(existing === undefined ? {} : { existing }),
  } as Api.NewWorkItem;
}
