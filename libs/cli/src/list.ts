import type { Clew, PageCall } from '@clew/sdk';
import type { Context, OptionSpec, Query, Verb } from './command.ts';
import { usageError } from './exit.ts';
import { own, text, whole } from './options.ts';
import type { Column } from './output/cells.ts';
import { bodyOf } from './output/output.ts';

/** List: its columns, of which the first names a thing, and the call that reads it. */
export interface ListSpec<Item> {
  name?: string;
  summary: string;
  args?: string;
  options?: readonly OptionSpec[];
  example: string;
  isProjectless?: true;
  columns: readonly Column<Item>[];
  call(clew: Clew, query: Query, context: Context): PageCall<unknown, Item>;
}

/** Options of every list. */
const PAGING: readonly OptionSpec[] = [
  whole('--limit <count>', 'things on a page'),
  text('--cursor <cursor>', 'go on from a page, by its nextCursor'),
  own('--all', 'read all pages'),
];

/** Makes the verb that shows a list. */
export function list<Item>({ name = 'list', columns, call, options = [], ...spec }: ListSpec<Item>): Verb {
  return {
    ...spec,
    name,
    options: [...options, ...PAGING],
    async run(context) {
      const { output } = context;
      if (!context.flag('all') && output.form !== 'ndjson') return await showPage(context, columns, call);
      if (output.form === 'json')
        throw usageError('--json prints one page as the API answered it', 'Use --ndjson --all');
      if (!context.flag('all')) return await showPage(context, columns, call);
      let count = 0;
      for await (const page of call(await context.client(), context.query(), context).pages()) {
        await output.rows(page.data, columns, undefined, { isContinued: count > 0 });
        count += page.data.length;
      }
      if (count === 0) await tellNothing(context);
    },
  };
}

async function showPage<Item>(
  context: Context,
  columns: readonly Column<Item>[],
  call: ListSpec<Item>['call'],
): Promise<void> {
  const { output } = context;
  const page = await call(await context.client(), context.query(), context);
  await output.rows(page.data, columns, bodyOf(page));
  if (output.form === 'json') return;
  if (page.nextCursor !== null) await output.note(`... ${page.data.length} shown, more with --all`);
  else if (page.data.length === 0) await tellNothing(context);
}

async function tellNothing({ output }: Context): Promise<void> {
  if (output.form === 'people') await output.note('Nothing found');
}
