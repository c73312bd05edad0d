import type { Api, Clew } from '@clew/sdk';
import type { Context, Verb } from '../command.ts';
import { readConfig, writeConfig } from '../config/files.ts';
import { CliError, EXIT, usageError } from '../exit.ts';
import { list } from '../list.ts';
import { IDEMPOTENCY_KEY } from '../options.ts';
import { column, type Column } from '../output/cells.ts';
import { WAITING, waitFor } from '../waiting.ts';

const COLUMNS: readonly Column<Api.Project>[] = [
  column('ID', ({ id }) => id),
  column('NAME', ({ name }) => name),
  column('CREATED', ({ createdAt }) => ({ at: createdAt })),
];

/** Verbs of projects. */
export const VERBS: readonly Verb[] = [
  list({
    ...{ summary: 'list the projects that the key reaches', columns: COLUMNS, isProjectless: true },
    example: 'projects list',
    call: (clew, query) => clew.projects.list(query),
  }),
  {
    ...{ name: 'show', summary: 'show a project', args: '<project>', isProjectless: true },
    example: 'projects show prj_1',
    async run(context) {
      const clew = await context.client();
      await context.output.record(await clew.projects.get(context.arg(0), { signal: context.signal }), COLUMNS);
    },
  },
  {
    ...{ name: 'create', summary: 'make a project', args: '<name>', isProjectless: true, options: [IDEMPOTENCY_KEY] },
    example: 'projects create Support',
    async run(context) {
      const clew = await context.client();
      const project = await clew.projects.create({ name: context.arg(0) }, context.query());
      await context.output.rows([project], COLUMNS, project);
    },
  },
  {
    ...{ name: 'rename', summary: 'rename a project', args: '<project> <name>', isProjectless: true },
    example: 'projects rename prj_1 Support',
    async run(context) {
      const clew = await context.client();
      const { signal } = context;
      const project = await clew.projects.update(context.arg(0), { name: context.arg(1) }, { signal });
      await context.output.rows([project], COLUMNS, project);
    },
  },
  {
    ...{ name: 'use', summary: 'make a project, by id or name, the one that commands are about', args: '<project>' },
    ...{ isProjectless: true, example: 'projects use prj_1' },
    run: use,
  },
  {
    ...{ name: 'delete', summary: 'delete a project with all its data', args: '<project>', isProjectless: true },
    ...{ destroys: 'a project with all its data', options: WAITING, example: 'projects delete prj_1' },
    async run(context) {
      const clew = await context.client();
      const asked = await clew.projects.delete(context.arg(0), { signal: context.signal });
      if (!context.flag('wait')) return await tellAsked(context, asked);
      const erased = await waitFor(context, (options) => clew.projectErasures.wait(asked.erasureId, options), {
        stateOf: ({ status }: Api.ProjectErasure) => status,
      });
      await context.output.record(erased, [column('ID', ({ id }) => id), column('STATUS', ({ status }) => status)]);
    },
  },
];

async function tellAsked({ output }: Context, asked: { erasureId: string }): Promise<void> {
  await output.record(asked, [column('ERASURE', ({ erasureId }) => erasureId)]);
  await output.note('It is being erased');
}

/** Reads the project that an id or a name says; ids begin with `prj_`. */
async function projectNamed(context: Context, clew: Clew): Promise<Api.Project> {
  const { signal } = context;
  const wanted = context.arg(0);
  if (wanted.startsWith('prj_')) return await clew.projects.get(wanted, { signal });
  const alike: Api.Project[] = [];
  for await (const project of clew.projects.list({ limit: 200, signal })) {
    if (project.name.toLowerCase() === wanted.toLowerCase()) alike.push(project);
  }
  const [project, ...others] = alike;
  const hint = 'See them: clew projects list';
  if (project === undefined) {
    throw new CliError(`No project has the name ${wanted}`, { exitCode: EXIT.notFound, hint });
  }
  if (others.length > 0) throw usageError(`Several projects have the name ${wanted}`, 'Use an id: clew projects list');
  return project;
}

async function use(context: Context): Promise<void> {
  const { profile } = context.settings();
  if (profile === undefined) throw usageError('Only a profile can keep a project', 'clew login, or CLEW_PROJECT');
  const clew = await context.client();
  const project = await projectNamed(context, clew);
  const config = readConfig(context.io);
  const kept = config.profiles[profile];
  if (kept !== undefined) kept.project = project.id;
  writeConfig(context.io, config);
  await context.output.rows([project], COLUMNS, project);
}
