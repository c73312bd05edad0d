import type { Api } from '@clew/sdk';
import type { Context, Verb } from '../command.ts';
import { usageError } from '../exit.ts';
import { list } from '../list.ts';
import { own } from '../options.ts';
import { column, type Column } from '../output/cells.ts';

const ROLES = ['viewer', 'editor', 'admin'] as const;

const COLUMNS: readonly Column<Api.Invitation>[] = [
  column('ID', ({ id }) => id),
  column('E-MAIL', ({ email }) => email),
  column('ROLE', ({ role }) => role),
  column('PROJECTS', ({ projectRoles }) => ({
    words: projectRoles.map(({ projectId, role }) => `${projectId}:${role}`),
  })),
  column('MAIL', ({ mail }) => mail),
  column('EXPIRES', ({ expiresAt }) => ({ at: expiresAt })),
];

const LINK_FIELDS: readonly Column<Api.InvitationLink>[] = [
  column('ID', ({ invitation }) => invitation.id),
  column('E-MAIL', ({ invitation }) => invitation.email),
  column('EXPIRES', ({ invitation }) => ({ at: invitation.expiresAt })),
  column('MAIL', ({ invitation }) => invitation.mail),
  column('LINK', ({ link }) => link),
];

/** Verb that invites somebody. */
export const invite: Verb = {
  ...{ name: 'create', summary: 'invite somebody; the link works without mail', args: '<email>' },
  options: [
    own('--role <role>', 'role in the project', { values: ROLES, isStrict: true }),
    own('--owner', 'owner of the workspace'),
  ],
  example: 'invitations create ada@example.com --role viewer',
  run: create,
};

async function create(context: Context): Promise<void> {
  const role = context.text('role') as (typeof ROLES)[number] | undefined;
  if (role === undefined && !context.flag('owner')) throw usageError('Say --role <role> or --owner');
  const clew = await context.client();
  const projectId = clew.project ?? '';
  const body = {
    email: context.arg(0),
    ...(context.flag('owner') ? { role: 'owner' as const } : {}),
    ...(role === undefined ? {} : { projectRoles: [{ projectId, role }] }),
  };
  await context.output.record(await clew.invitations.create(body, { signal: context.signal }), LINK_FIELDS);
}

/** Verbs of invitations. */
export const VERBS: readonly Verb[] = [
  list({
    ...{ summary: 'list the invitations that nobody has accepted yet', columns: COLUMNS, isProjectless: true },
    example: 'invitations list',
    call: (clew, query) => clew.invitations.list(query),
  }),
  invite,
  {
    ...{ name: 'link', summary: 'make another link; the earlier one ends', args: '<invitation>', isProjectless: true },
    example: 'invitations link inv_1',
    async run(context) {
      const clew = await context.client();
      const made = await clew.invitations.createLink(context.arg(0), { signal: context.signal });
      await context.output.record(made, LINK_FIELDS);
    },
  },
  {
    ...{ name: 'withdraw', summary: 'withdraw an invitation', args: '<invitation>', isProjectless: true },
    ...{ destroys: 'an invitation', example: 'invitations withdraw inv_1' },
    async run(context) {
      const clew = await context.client();
      await clew.invitations.withdraw(context.arg(0), { signal: context.signal });
      await context.output.note(`Withdrew ${context.arg(0)}`);
    },
  },
];
