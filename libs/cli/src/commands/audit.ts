import type { Api } from '@clew/sdk';
import type { OptionSpec, Verb } from '../command.ts';
import { download, OUTPUT } from '../download.ts';
import { list } from '../list.ts';
import { own, text, when } from '../options.ts';
import { column, type Column } from '../output/cells.ts';

const COLUMNS: readonly Column<Api.AuditRecord>[] = [
  column('ID', ({ id }) => id),
  column('AT', ({ at }) => ({ at })),
  column('BY', ({ actor }) => actor.id),
  column('ACTION', ({ action }) => action),
  column('TARGET', ({ target }) => target.id),
  column('PROJECT', ({ projectId }) => projectId),
  column('FROM', ({ address }) => address),
];

const FILTERS: readonly OptionSpec[] = [
  text('--actor <id>', 'only by this person or key'),
  text('--action <action>', 'only such deeds: api-key, project.deleted'),
  text('--target <id>', 'only to this'),
  when('--since <time>', 'only after a time', 'after'),
  when('--until <time>', 'only before a time', 'before'),
];

/** Verbs of the audit. */
export const VERBS: readonly Verb[] = [
  list({
    ...{ summary: 'list administrative deeds of the project, newest first', columns: COLUMNS },
    options: [...FILTERS, own('--workspace', 'those of the whole workspace')],
    example: 'audit list --action api-key --since 30d',
    call: (clew, query, context) =>
      context.flag('workspace') ? clew.audit.list(query) : clew.audit.listOfProject(query),
  }),
  {
    ...{ name: 'export', summary: 'write the audit of the workspace as lines of JSON', isProjectless: true },
    ...{ options: [...FILTERS, OUTPUT], example: 'audit export --since 30d' },
    async run(context) {
      const clew = await context.client();
      await download(context, clew.audit.export(context.query()));
    },
  },
];
