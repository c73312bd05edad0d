import type { Api } from '@clew/sdk';
import type { Verb } from '../command.ts';
import { usageError } from '../exit.ts';
import { list } from '../list.ts';
import { choice, either, own, text } from '../options.ts';
import { column, type Column } from '../output/cells.ts';
import { state } from '../output/columns.ts';
import { invite } from './invitations.ts';

const COLUMNS: readonly Column<Api.Person>[] = [
  column('ID', ({ id }) => id),
  column('E-MAIL', ({ email }) => email),
  column('NAME', ({ name }) => name),
  column('OWNER', ({ owner }) => owner),
  column('STATE', (person) => state(person.state)),
  column('PROJECTS', ({ memberships }) => ({
    words: memberships.map(({ projectId, role }) => `${projectId}:${role}`),
  })),
  column('SIGNED IN', ({ lastSignedInAt }) => ({ at: lastSignedInAt })),
];

/** Verbs of people. */
export const VERBS: readonly Verb[] = [
  list({
    ...{ summary: 'list the people of the workspace', columns: COLUMNS, isProjectless: true },
    options: [
      text('--search <words>', 'only with this in name or address', { sets: 'q' }),
      choice('--state <state>', 'only in this state', ['active', 'deactivated']),
    ],
    example: 'people list --state active',
    call: (clew, query) => clew.people.list(query),
  }),
  {
    ...{ name: 'show', summary: 'show a person', args: '<person>', isProjectless: true, example: 'people show usr_1' },
    async run(context) {
      const clew = await context.client();
      await context.output.record(await clew.people.get(context.arg(0), { signal: context.signal }), COLUMNS);
    },
  },
  { ...invite, name: 'invite', example: 'people invite ada@example.com --role editor' },
  {
    ...{ name: 'role', summary: 'set the role of a person in the project', args: '<person> <role>' },
    example: 'people role usr_1 editor',
    async run(context) {
      const role = context.arg(1);
      if (role !== 'viewer' && role !== 'editor' && role !== 'admin') throw usageError('viewer, editor or admin');
      const clew = await context.client();
      const member = await clew.members.set(context.arg(0), { role }, { signal: context.signal });
      await context.output.rows([member], MEMBER_COLUMNS, member);
    },
  },
  {
    ...{ name: 'update', summary: 'rename, deactivate or reactivate a person, or make one an owner' },
    ...{ args: '<person>', isProjectless: true },
    options: [
      own('--name <name>', 'another name'),
      ...either('active', 'let them sign in again', 'sign them out and let them in no more'),
      ...either('owner', 'make them an owner', 'make them no owner'),
    ].map(({ sets: _, ...option }) => option),
    example: 'people update usr_1 --no-active',
    async run(context) {
      const [name, active, owner] = [context.text('name'), context.options['active'], context.options['owner']];
      const body: Api.UpdatePersonData['body'] = {
        ...(name === undefined ? {} : { name }),
        ...(active === undefined ? {} : { state: active === true ? 'active' : 'deactivated' }),
        ...(owner === undefined ? {} : { owner: owner === true }),
      };
      if (Object.keys(body).length === 0) throw usageError('Say what to change');
      const clew = await context.client();
      const person = await clew.people.update(context.arg(0), body, { signal: context.signal });
      await context.output.rows([person], COLUMNS, person);
    },
  },
  {
    ...{ name: 'reset-link', summary: 'make a link with which a person sets a new password', args: '<person>' },
    ...{ isProjectless: true, example: 'people reset-link usr_1' },
    async run(context) {
      const clew = await context.client();
      const made = await clew.people.createResetLink(context.arg(0), { signal: context.signal });
      await context.output.record(made, [
        column('LINK', ({ link }) => link),
        column('EXPIRES', ({ expiresAt }) => ({ at: expiresAt })),
      ]);
    },
  },
  {
    ...{ name: 'delete', summary: 'delete a person', args: '<person>', destroys: 'a person', isProjectless: true },
    example: 'people delete usr_1',
    async run(context) {
      const clew = await context.client();
      await clew.people.delete(context.arg(0), { signal: context.signal });
      await context.output.note(`Deleted ${context.arg(0)}`);
    },
  },
];

export const MEMBER_COLUMNS: readonly Column<Api.Member>[] = [
  column('ID', ({ userId }) => userId),
  column('E-MAIL', ({ email }) => email),
  column('NAME', ({ name }) => name),
  column('ROLE', ({ role }) => role),
  column('OWNER', ({ owner }) => owner),
  column('STATE', (member) => state(member.state)),
];
