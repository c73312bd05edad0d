import type { Api } from '@clew/sdk';
import type { Context, Verb } from '../command.ts';
import { own, YES } from '../options.ts';
import { column } from '../output/cells.ts';
import { waitFor } from '../waiting.ts';

/** User of all samples, by which they are found again. */
const USER = 'clew-demo';
/** Beginning of the ids of all samples. */
const PREFIX = 'clew-demo-';
const APART_MS = 7 * 60_000;

/** Command that fills a project with samples, and takes them away again. */
export const VERBS: readonly Verb[] = [
  {
    ...{ name: 'demo', summary: 'fill the project with sample conversations' },
    options: [
      own('--remove', 'erase them again, with everything that was made of them'),
      own('--wait', 'with --remove: wait until they are gone'),
      YES,
    ],
    example: 'demo',
    run: (context) => (context.flag('remove') ? remove(context) : fill(context)),
  },
];

async function fill(context: Context): Promise<void> {
  const { io, output, signal } = context;
  const { SAMPLES } = await import('../demo/samples.ts');
  const day = new Date(io.now()).toISOString().slice(0, 10);
  // Ids and times are those of the day: a second fill of the same day changes nothing.
  const dayMs = Date.parse(day);
  const lines = SAMPLES.map(({ name, agent, model, messages }, at) => ({
    ...{ id: `${PREFIX}${day}-${name}`, messages },
    metadata: { agent, model, userId: USER, startedAt: dayMs - (at + 1) * APART_MS },
  }));
  const clew = await context.client();
  const report = await clew.conversations.import(lines, { signal });
  await output.record(report, [
    column('IMPORTED', ({ imported }) => imported),
    column('REFUSED', ({ refusedCount }) => refusedCount),
  ]);
  await output.note(
    'Their Findings appear in some seconds: clew findings watch\nRemove them again: clew demo --remove',
  );
}

async function remove(context: Context): Promise<void> {
  await context.confirm('the sample conversations and what was made of them', 'demo');
  const { output, signal } = context;
  const clew = await context.client();
  const ids: string[] = [];
  for await (const { id } of clew.conversations.list({ userId: USER, limit: 500, signal })) {
    if (id.startsWith(PREFIX)) ids.push(id);
  }
  const erasureIds: string[] = [];
  for (const id of ids) {
    const asked = await clew.conversations.erase(id, { signal });
    erasureIds.push(asked.erasureId);
    if (output.form === 'json') await output.json(asked);
  }
  for (const erasureId of context.flag('wait') ? erasureIds : []) {
    await waitFor(context, (options) => clew.erasures.wait(erasureId, options), {
      stateOf: ({ status }: Api.Erasure) => status,
    });
  }
  await output.note(`${context.flag('wait') ? 'Erased' : 'Erasing'} ${ids.length} sample conversations`);
}
