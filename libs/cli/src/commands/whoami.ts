import type { Api } from '@clew/sdk';
import type { Verb } from '../command.ts';
import { column, type Column } from '../output/cells.ts';

export const ME_FIELDS: readonly Column<Api.Me>[] = [
  column('ID', ({ id }) => id),
  column('KIND', ({ kind }) => kind),
  column('NAME', ({ name }) => name),
  column('E-MAIL', ({ email }) => email),
  column('PROJECTS', ({ projectIds }) => (projectIds === 'all' ? 'all' : { words: projectIds })),
  column('SCOPES', ({ scopes = [] }) => ({ words: scopes })),
  column('VERSION', ({ version }) => version),
];

export const VERBS: readonly Verb[] = [
  {
    ...{ name: 'whoami', summary: 'show whose key is in use, and what it may do', isProjectless: true },
    example: 'whoami',
    async run(context) {
      const { output, signal } = context;
      const clew = await context.client();
      await output.record(await clew.me.get({ signal }), ME_FIELDS);
      const { url, project, profile, source } = context.settings();
      const from = profile === undefined ? source : `profile ${profile}`;
      if (output.form === 'people') await output.note(`${url}, project ${project ?? '-'} (${from})`);
    },
  },
];
