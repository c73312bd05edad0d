import type { Api } from '@clew/sdk';
import type { Context } from '../command.ts';
import { column, type Column } from '../output/cells.ts';
import { state } from '../output/columns.ts';

type Activity = Api.RuntimeActivity;

const COLUMNS: readonly Column<Activity>[] = [
  column('KIND', ({ kind }) => kind),
  column('NAME', (entry) => (entry.kind === 'engine' ? entry.engine : entry.modelId)),
  column('STATE', (entry) => state(entry.state)),
  column('DONE', (entry) => ({ bytes: entry.kind === 'download' ? entry.bytesDone : null })),
  column('TOTAL', (entry) => ({ bytes: entry.kind === 'download' ? entry.bytesTotal : null })),
  column('CHANGED', ({ updatedAt }) => ({ at: updatedAt })),
  column('PROBLEM', ({ error }) => error?.message),
];

/** Shows what the node does now, or with `--follow` as it goes on. */
export async function activity(context: Context): Promise<void> {
  const { output, signal } = context;
  const clew = await context.client();
  if (!context.flag('follow')) {
    const now = await clew.models.activity({ signal });
    return await output.rows(now.activity, COLUMNS, now);
  }
  let count = 0;
  for await (const entry of clew.models.activity({ signal })) {
    await output.rows([entry], COLUMNS, entry, { isContinued: count > 0 });
    count += 1;
  }
}

/** Shows the last lines of a service's log, or with `--follow` further ones as they are written. */
export async function logs(context: Context): Promise<void> {
  const { output, signal } = context;
  const clew = await context.client();
  const name = context.arg(0).replace(/^self\//, '');
  const isOf = (entry: Activity) => entry.kind === 'service' && entry.modelId === name;
  if (!context.flag('follow')) {
    const now = await clew.models.activity({ signal });
    if (output.form === 'json') return await output.json(now);
    const lines = now.activity.filter(isOf).flatMap(linesOf);
    if (lines.length === 0) await output.note(`There is no log of ${name}`);
    for (const line of lines) await output.text(`${line}\n`);
    return;
  }
  let before: readonly string[] = [];
  for await (const entry of clew.models.activity({ signal })) {
    if (!isOf(entry)) continue;
    const lines = linesOf(entry);
    for (const line of newLines(before, lines)) await output.text(`${line}\n`);
    before = lines;
  }
}

const linesOf = (entry: Activity): readonly string[] => (entry.kind === 'download' ? [] : entry.log);

/** Returns the lines of a moving window that were not in the one before it. */
function newLines(before: readonly string[], now: readonly string[]): readonly string[] {
  for (let shared = Math.min(before.length, now.length); shared > 0; shared -= 1) {
    const end = before.slice(before.length - shared);
    if (end.every((line, at) => line === now[at])) return now.slice(shared);
  }
  return now;
}
