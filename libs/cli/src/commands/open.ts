import type { Verb } from '../command.ts';
import { mayAsk } from '../context.ts';
import { usageError } from '../exit.ts';

/** Pages of the Workbench before the id of what they show, by its prefix. */
const PAGES: Readonly<Record<string, string>> = {
  fnd: 'findings/',
  dst: 'datasets/',
  kitm: 'knowledge?status=all&reviewed=all&item=',
  goal: 'knowledge/goals/',
  rule: 'rules/',
  exp: 'expectations?id=',
};

/** Command that opens a page. */
export const VERBS: readonly Verb[] = [
  {
    ...{ name: 'open', summary: 'open a thing in the Workbench, or the project', args: '[id]', isLocal: true },
    ...{ example: 'open fnd_1' },
    async run(context) {
      const { io, output } = context;
      const { url, project } = context.settings();
      if (project === undefined) throw usageError('Name a project', '--project <id>');
      const page = `${url.replace(/\/$/, '')}/p/${encodeURIComponent(project)}${pathOf(context.args[0])}`;
      if (mayAsk(context)) await io.browse(page);
      await output.text(`${page}\n`);
    },
  },
];

function pathOf(id: string | undefined): string {
  if (id === undefined) return '';
  const [, prefix = ''] = /^([a-z]{2,8})_/.exec(id) ?? [];
  const page = Object.hasOwn(PAGES, prefix) ? PAGES[prefix] : undefined;
  // Conversations have the ids that applications give them.
  return `/${page ?? 'conversations/'}${encodeURIComponent(id)}`;
}
