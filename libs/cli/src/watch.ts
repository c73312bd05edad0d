import type { Clew, PageCall } from '@clew/sdk';
import type { Context, OptionSpec, Query, Verb } from './command.ts';
import { own, wholeNumber } from './options.ts';
import type { Column } from './output/cells.ts';

/** List whose changes are followed. */
export interface WatchSpec<Item> {
  /** Type of the changes that the API tells of. */
  type: string;
  name?: string;
  summary: string;
  example: string;
  options?: readonly OptionSpec[];
  columns: readonly Column<Item>[];
  latest(clew: Clew, query: Query): PageCall<unknown, Item>;
  read(clew: Clew, id: string, query: Query): PromiseLike<Item>;
  isWanted?(item: Item, context: Context): boolean;
  /** Value that differs after each change. */
  stampOf(item: Item): number;
}

const POLL_MS = 5_000;

/** Makes the verb that shows things as they appear and change, until it is interrupted. */
export function watch<Item extends { id: string }>({
  name = 'watch',
  summary,
  example,
  ...spec
}: WatchSpec<Item>): Verb {
  return {
    ...{ name, summary, example },
    options: [...(spec.options ?? []), own('-n, --latest <count>', 'first show so many', { parse: wholeNumber })],
    run: (context) => follow(context, spec),
  };
}

async function follow<Item extends { id: string }>(
  context: Context,
  { type, columns, latest, read, isWanted, stampOf }: Omit<WatchSpec<Item>, 'name' | 'summary' | 'example'>,
): Promise<void> {
  const { output, signal } = context;
  const clew = await context.client();
  const query = { ...context.query(), limit: 100 } as unknown as Query;
  const shown = new Map<string, number>();
  let rows = 0;
  const show = async (item: Item, isSilent = false) => {
    const stamp = stampOf(item);
    if (shown.get(item.id) === stamp || isWanted?.(item, context) === false) return;
    shown.set(item.id, stamp);
    if (isSilent) return;
    // Bodies of a stream are a line each.
    if (output.form === 'json') await output.rows([item], columns, item);
    else await output.rows([item], columns, undefined, { isContinued: rows > 0 });
    rows += 1;
  };
  const first = (await latest(clew, query)).data;
  const wanted = context.number('latest') ?? 10;
  for (const [at, item] of first.toReversed().entries()) await show(item, at < first.length - wanted);
  for await (const id of changed(clew, type, context)) {
    if (id !== null) await show(await read(clew, id, { signal } as unknown as Query));
    else for (const item of (await latest(clew, query)).data.toReversed()) await show(item);
  }
}

/** Tells which things change; null if it is not known which. Where the API has no events, it is asked every 5 s. */
async function* changed(clew: Clew, type: string, { io, signal }: Context): AsyncGenerator<string | null, void> {
  let isFirst = true;
  try {
    for await (const change of clew.events.listen({ signal })) {
      if (change.type === type) yield change.id;
      else if (change.type === 'ready' && !isFirst) yield null;
      isFirst = false;
    }
  } catch (error) {
    if ((error as { status?: number }).status !== 404) throw error;
    for (;;) {
      await io.pause(POLL_MS, signal);
      yield null;
    }
  }
}
