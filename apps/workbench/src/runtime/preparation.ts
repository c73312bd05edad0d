import type { Api } from '@clew/sdk';

type Runtime = Api.RuntimeSnapshot;
export type StepId = 'engine' | 'download' | 'service';
export type StepState = 'done' | 'working' | 'failed' | 'missing';

/** One of the three things that a model needs before it answers. */
export interface Step {
  readonly id: StepId;
  readonly state: StepState;
  /** Share of the step that is done. */
  readonly share: number;
  /** Words for what is being done. */
  readonly text: string;
  readonly problem: Api.RuntimeProblem | null;
}

/** How far a profile is on the way to an answer. */
export interface Preparation {
  readonly steps: readonly Step[];
  /** Share of all steps that is done. */
  readonly share: number;
  readonly isReady: boolean;
  readonly isWorking: boolean;
  /** First step that failed. */
  readonly failed: Step | undefined;
  /** Steps that can be asked for now: what comes later needs them. */
  readonly next: readonly StepId[];
}

/** Shares of the steps in the progress of all: the download takes longest. */
const WEIGHTS: Readonly<Record<StepId, number>> = { engine: 0.2, download: 0.65, service: 0.15 };
const ENGINE_SHARES: Readonly<Record<string, number>> = { queued: 0.05, installing: 0.4, ready: 1 };
const WORKING: readonly string[] = ['queued', 'installing', 'running', 'verifying', 'starting', 'stopping', 'removing'];

/** Combines engine, download and service of a profile into one progress. */
export function preparationOf(
  profile: Pick<Api.ModelProfile, 'id' | 'modelId' | 'engine'>,
  runtime: Runtime,
): Preparation {
  const isOwn = (each: { modelId: string; profileId: string }) =>
    each.modelId === profile.modelId && each.profileId === profile.id;
  const steps = [
    engineStep(runtime.engines.find(({ engine }) => engine === profile.engine)),
    downloadStep(runtime.downloads.find(isOwn)),
    serviceStep(runtime.services.find(isOwn)),
  ];
  const [engine, download, service] = steps;
  const before = steps.slice(0, 2).filter(({ state }) => state === 'missing' || state === 'failed');
  const isStartable = engine?.state === 'done' && download?.state === 'done' && isOpen(service);
  return {
    steps,
    share: steps.reduce((sum, { id, share }) => sum + WEIGHTS[id] * share, 0),
    isReady: service?.state === 'done',
    isWorking: steps.some(({ state }) => state === 'working'),
    failed: steps.find(({ state }) => state === 'failed'),
    next:
      service?.state === 'done' ? [] : before.length > 0 ? before.map(({ id }) => id) : isStartable ? ['service'] : [],
  };
}

function isOpen(step: Step | undefined): boolean {
  return step?.state === 'missing' || step?.state === 'failed';
}

function engineStep(engine: Api.EngineInstallation | undefined): Step {
  const state = engine?.state ?? 'not_installed';
  return {
    id: 'engine',
    state: stateOf(state, 'ready'),
    share: ENGINE_SHARES[state] ?? 0,
    text: engine?.message ?? (state === 'ready' ? `${engine?.engine ?? ''} ${engine?.version ?? ''}`.trim() : state),
    problem: engine?.error ?? null,
  };
}

function downloadStep(download: Api.ModelDownload | undefined): Step {
  const state = download?.state ?? 'not_downloaded';
  const { bytesDone = 0, bytesTotal = null, error = null } = download ?? {};
  const share = bytesTotal === null || bytesTotal === 0 ? 0 : bytesDone / bytesTotal;
  return {
    id: 'download',
    state: stateOf(state, 'completed'),
    share: state === 'completed' ? 1 : ['running', 'verifying'].includes(state) ? Math.min(0.99, share) : 0,
    text: state === 'running' ? `${bytes(bytesDone)}${bytesTotal === null ? '' : ` of ${bytes(bytesTotal)}`}` : state,
    problem: error,
  };
}

function serviceStep(service: Api.ModelService | undefined): Step {
  const state = service?.state ?? 'not_started';
  return {
    id: 'service',
    state: stateOf(state, 'ready'),
    share: state === 'ready' ? 1 : state === 'starting' ? 0.5 : 0,
    text: state === 'stopped' && service?.stopReason === 'idle' ? 'stopped, since nobody used it' : state,
    problem: service?.error ?? null,
  };
}

function stateOf(state: string, done: string): StepState {
  if (state === done) return 'done';
  if (WORKING.includes(state)) return 'working';
  return state === 'failed' ? 'failed' : 'missing';
}

/** Whether the node does something for the project. */
export function isBusy({ engines, downloads, services }: Runtime): boolean {
  return [...engines, ...downloads, ...services].some(({ state }) => WORKING.includes(state));
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** Size as people read it: `98 MB`, `4.7 GB`. */
export function bytes(size: number): string {
  const power = size < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(size) / 3));
  const value = size / 1_000 ** power;
  return `${value >= 10 || power === 0 ? Math.round(value) : Math.round(value * 10) / 10} ${UNITS[power] ?? ''}`;
}

/** Whether a profile fits the node, and why not. */
export function fitOf(
  { memoryEstimateBytes, files }: Pick<Api.ModelProfile, 'memoryEstimateBytes' | 'files'>,
  { memory, disk }: Pick<Api.RuntimeNode, 'memory' | 'disk'>,
): { readonly fits: boolean; readonly text: string } {
  const size = sizeOf(files);
  if (disk !== null && size !== null && size > disk.freeBytes) {
    return { fits: false, text: `Needs ${bytes(size)} of disk, ${bytes(disk.freeBytes)} are free` };
  }
  if (memory !== null && memoryEstimateBytes !== null && memoryEstimateBytes > memory.availableBytes) {
    const text = `Needs ${bytes(memoryEstimateBytes)} of memory, ${bytes(memory.availableBytes)} are free`;
    return { fits: false, text };
  }
  const isKnown = (memory !== null && memoryEstimateBytes !== null) || (disk !== null && size !== null);
  return { fits: true, text: isKnown ? 'Fits' : 'Not known' };
}

/** Size of all files; null while one of them is not known. */
export function sizeOf(files: readonly Pick<Api.ArtifactFile, 'sizeBytes'>[]): number | null {
  return files.reduce<number | null>(
    (sum, { sizeBytes }) => (sum === null || sizeBytes === null ? null : sum + sizeBytes),
    0,
  );
}

/** Act that mends a problem of the node. */
export type ProblemAct = 'free-disk' | 'free-memory' | 'token' | 'retry';

export function actOf(code: string): ProblemAct {
  if (code === 'INSUFFICIENT_DISK') return 'free-disk';
  if (code === 'INSUFFICIENT_MEMORY') return 'free-memory';
  return code === 'GATED_REPOSITORY' ? 'token' : 'retry';
}
