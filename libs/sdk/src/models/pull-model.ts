import { ClewError, ConnectionError } from '../errors.ts';
import type { ModelsMethods } from '../generated/methods.gen.ts';
import type { ModelDetail, ModelProfile, RuntimeActivity, ServiceOptions } from '../generated/types.gen.ts';
import type { CallOptions } from '../options.ts';

/** State of one of the three steps that make a model ready. */
export interface PullProgress {
  step: 'engine' | 'download' | 'service';
  state: string;
  /** Words for the work of this moment, as far as they are known. */
  message: string | null;
  /** Bytes of the download. */
  bytesDone: number | null;
  bytesTotal: number | null;
}

export interface PullOptions extends Pick<CallOptions, 'project' | 'signal'> {
  /** Profile; by default the one that suits most machines. */
  profileId?: string | undefined;
  /** Whether its service is started; true by default. */
  start?: boolean | undefined;
  service?: ServiceOptions | undefined;
  onProgress?: ((progress: PullProgress) => void) | undefined;
}

/** Model that is there, with the name that inference calls it by. */
export interface PulledModel {
  modelId: string;
  profileId: string;
  category: ModelDetail['category'];
  /** Name in inference, `self/<modelId>`; null if its service was not asked for. */
  model: string | null;
}

/** Step of a pull that failed, with the reason that the runtime gives. */
export class PullError extends ClewError {
  override readonly name = 'PullError';
  readonly step: PullProgress['step'];
  readonly code: string;

  constructor(step: PullProgress['step'], { code, message }: { code: string; message: string }) {
    super(`${step}: ${message} (${code})`);
    this.step = step;
    this.code = code;
  }
}

const FAILED = ['failed', 'cancelled', 'stopped', 'not_installed'];

/**
 * Makes a model ready: installs its engine, downloads its files, and starts its service. What is there already is left as
 * it is. The node does the work, and goes on with it when the caller stops waiting.
 *
 * @throws PullError if a step fails
 */
export async function pullModel(models: ModelsMethods, modelId: string, options: PullOptions): Promise<PulledModel> {
  const { project, signal, start = true } = options;
  const call = { project, signal };
  const model = await models.get(modelId, call);
  const profile = profileOf(model, options.profileId);
  const pulled = { modelId, profileId: profile.id, category: model.category };
  const engine = await models.engines.install(profile.engine, {}, call);
  const download = await models.downloads.start(modelId, profile.id, {}, call);
  const follow = (steps: Wanted[]) => followSteps(models, steps, options);
  await follow([
    { step: 'engine', now: { kind: 'engine', ...engine, log: [] }, isDone: 'ready' },
    { step: 'download', now: { kind: 'download', ...download }, isDone: 'completed' },
  ]);
  if (!start) return { ...pulled, model: null };
  const service = await models.services.start(modelId, profile.id, options.service, call);
  await follow([{ step: 'service', now: { kind: 'service', ...service, log: [] }, isDone: 'ready' }]);
  return { ...pulled, model: service.model };
}

function profileOf({ id, profiles, selectedProfileId }: ModelDetail, wanted = selectedProfileId): ModelProfile {
  const profile = profiles.find((each) => each.id === wanted);
  if (profile !== undefined) return profile;
  const ids = profiles.map((each) => each.id).join(', ');
  throw new ClewError(
    wanted === null ? `${id} has no profile that runs here` : `${id} has no profile ${wanted}: ${ids}`,
  );
}

/** Step that is waited for. */
interface Wanted {
  step: PullProgress['step'];
  now: RuntimeActivity;
  isDone: string;
}

/** Follows the runtime until steps are done. A stream that is cut begins with all entries when it is opened again. */
async function followSteps(models: ModelsMethods, steps: Wanted[], options: PullOptions): Promise<void> {
  const { project, signal, onProgress } = options;
  const open = new Set(steps);
  const take = (wanted: Wanted, entry: RuntimeActivity) => {
    onProgress?.(progressOf(wanted.step, entry));
    if (entry.state === wanted.isDone) open.delete(wanted);
    else if (FAILED.includes(entry.state)) throw new PullError(wanted.step, problemOf(entry));
  };
  for (const wanted of steps) take(wanted, wanted.now);
  while (open.size > 0) {
    try {
      for await (const entry of models.activity({ project, signal })) {
        for (const wanted of open) if (isSame(entry, wanted.now)) take(wanted, entry);
        if (open.size === 0) return;
      }
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
    }
    signal?.throwIfAborted();
  }
}

/** Tells whether an entry is about the same thing, and not about an earlier generation of it. */
function isSame(entry: RuntimeActivity, now: RuntimeActivity): boolean {
  if ((entry.generation ?? 0) < (now.generation ?? 0)) return false;
  if (entry.kind === 'engine') return now.kind === 'engine' && now.engine === entry.engine;
  return now.kind === entry.kind && now.modelId === entry.modelId && now.profileId === entry.profileId;
}

function progressOf(step: PullProgress['step'], entry: RuntimeActivity): PullProgress {
  const { state } = entry;
  if (entry.kind === 'download') {
    return { step, state, message: null, bytesDone: entry.bytesDone, bytesTotal: entry.bytesTotal };
  }
  const message = entry.kind === 'engine' ? entry.message : (entry.log.at(-1) ?? null);
  return { step, state, message, bytesDone: null, bytesTotal: null };
}

function problemOf({ error, state }: RuntimeActivity): { code: string; message: string } {
  return error ?? { code: state.toUpperCase(), message: `it was ${state.replaceAll('_', ' ')}` };
}
