import type { Context } from './command.ts';
import type { Column } from './output/cells.ts';

/** Does something with each of several things, and shows them as they are then. */
export async function changeEach<Item>(
  { output }: Context,
  ids: readonly string[],
  columns: readonly Column<Item>[],
  change: (id: string) => PromiseLike<Item>,
): Promise<void> {
  for (const [at, id] of ids.entries()) {
    const item = await change(id);
    await output.rows([item], columns, item, { isContinued: at > 0 });
  }
}
