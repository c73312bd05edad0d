import type { Api, Clew, PullProgress } from '@clew/sdk';
import type { Context } from '../command.ts';
import { CliError, usageError } from '../exit.ts';
import { column } from '../output/cells.ts';
import { progressOn } from '../progress.ts';
import { SERVICE_COLUMNS } from '../output/columns.ts';

/** Chooses the profile of a model: the one that is named, or the one that suits. */
async function profileOf(context: Context, clew: Clew): Promise<Api.ModelProfile> {
  const { id, profiles, selectedProfileId } = await clew.models.get(context.arg(0), { signal: context.signal });
  const wanted = context.text('modelProfile') ?? selectedProfileId;
  const profile = profiles.find((each) => each.id === wanted);
  if (profile !== undefined) return profile;
  const known = profiles.map((each) => each.id).join(', ');
  throw usageError(`${id} has no profile${wanted === null ? ' that runs here' : ` ${wanted}`}`, `It has ${known}`);
}

/** Makes a model ready. The node does the work, and goes on with it when nobody waits. */
export async function pull(context: Context): Promise<void> {
  if (context.options['wait'] === false) return await ask(context);
  const { io, output, signal } = context;
  const clew = await context.client();
  const isShown = !context.flag('quiet') && output.form !== 'json';
  const shown = progressOn(io);
  const onProgress = (progress: PullProgress) => {
    if (!isShown) return;
    if (progress.step === 'download' && progress.bytesDone !== null && progress.state === 'running') {
      shown.bytes({ done: progress.bytesDone, total: progress.bytesTotal, label: context.arg(0) });
    } else shown.step(progress.step, [progress.state, progress.message].filter((word) => word !== null).join(': '));
  };
  const profileId = context.text('modelProfile');
  try {
    const pulled = await clew.models.pull(context.arg(0), {
      ...{ signal, onProgress, start: context.options['start'] !== false },
      ...(profileId === undefined ? {} : { profileId }),
    });
    shown.end();
    const { category, model } = pulled;
    await output.record(pulled, [
      column('MODEL', ({ modelId, model: name }) => name ?? modelId),
      column('PROFILE', ({ profileId: id }) => id),
    ]);
    if (model !== null && category === 'chat') await output.note(`Talk with it: clew models chat ${model}`);
  } catch (error) {
    shown.end();
    if (signal.aborted) await tellInterrupted(context, clew);
    throw error;
  }
}

/** Asks for engine and download, and leaves the rest to the node. */
async function ask(context: Context): Promise<void> {
  const { signal } = context;
  const clew = await context.client();
  const profile = await profileOf(context, clew);
  await clew.models.engines.install(profile.engine, {}, { signal });
  const download = await clew.models.downloads.start(context.arg(0), profile.id, {}, { signal });
  await context.output.record(download, [
    column('MODEL', ({ modelId }) => modelId),
    column('PROFILE', ({ profileId }) => profileId),
    column('STATE', ({ state }) => state),
    column('SIZE', ({ bytesTotal }) => ({ bytes: bytesTotal })),
  ]);
  await context.output.note('It goes on without you: clew models activity');
}

async function tellInterrupted(context: Context, clew: Clew): Promise<void> {
  if (!context.flag('cancelOnInterrupt')) {
    await context.output.note('The download goes on: clew models activity');
    return;
  }
  // The signal of Ctrl-C would end this, too.
  const { downloads } = await clew.models.runtime();
  const running = downloads.filter(
    ({ modelId, state }) => modelId === context.arg(0) && ['queued', 'running', 'verifying'].includes(state),
  );
  for (const { modelId, profileId, generation } of running) {
    await clew.models.downloads.remove(modelId, profileId, String(generation));
  }
  await context.output.note(running.length === 0 ? 'No download was running' : 'The download was stopped');
}

export async function start(context: Context): Promise<void> {
  const { signal } = context;
  const clew = await context.client();
  const profile = await profileOf(context, clew);
  const contextLength = context.number('contextLength');
  const options = contextLength === undefined ? {} : { contextLength };
  const service = await clew.models.services.start(context.arg(0), profile.id, options, { signal });
  await context.output.rows([service], SERVICE_COLUMNS, service);
}

export async function stop(context: Context): Promise<void> {
  const { signal } = context;
  const clew = await context.client();
  const profile = await profileOf(context, clew);
  const service = (await clew.models.services.stop(context.arg(0), profile.id, { signal })) as
    Api.ModelService | undefined;
  if (service === undefined) throw new CliError(`${context.arg(0)} does not run`);
  await context.output.rows([service], SERVICE_COLUMNS, service);
}

export async function remove(context: Context): Promise<void> {
  const { signal } = context;
  const clew = await context.client();
  const profile = await profileOf(context, clew);
  const removal = await clew.models.profiles.remove(context.arg(0), profile.id, { signal });
  if (context.output.form === 'json') await context.output.json(removal);
  else await context.output.note(`Removing ${context.arg(0)}`);
}
