import type { EngineName, ModelCategory } from '@clew/contracts';
import type { NodeFacts } from '@clew/model-runtime';
import type { EngineHost } from '../engine-host/index.ts';

export interface InstallContext {
  /** Empty folder for this installation only. The user of engines may write only into `venv` in it. */
  folder: string;
  /** Host that runs the programs of the installation. */
  host: Pick<EngineHost, 'start' | 'share'>;
  gpus: NodeFacts['gpus'];
  signal: AbortSignal;
  stage(stage: string): void;
  line(text: string): void;
}

/** Parameters for starting a service. */
export interface LaunchContext {
  /** Folder in which the engine is installed. */
  engineFolder: string;
  /** Folder with the files of the profile, under the names that the profile gives them. */
  artifactFolder: string;
  files: readonly string[];
  /** Folder of this process only, which the process can read. */
  runFolder: string;
  /** Folder that the processes of this installation write into; it lasts as long as the installation. */
  cacheFolder: string;
  host: string;
  port: number;
  apiKey: string;
  /** Name that the model answers to. */
  alias: string;
  category: ModelCategory;
  contextLength: number;
  parallelRequests: number;
}

/** Smallest request that proves that the engine works. */
export interface Probe {
  path: string;
  body: () => string | FormData;
}

export interface Launch {
  command: readonly [file: string, ...args: string[]];
  env: Readonly<Record<string, string>>;
  /** Settings file that the started program reads; it is written before the start. */
  settings?: { file: string; content: unknown };
  probe: Probe;
}

/** Driver of one engine. Every engine answers `GET /health` with 200 when it can be used. */
export interface EngineDriver {
  readonly name: EngineName;
  /** Version that is installed. */
  readonly version: string;
  /** Approximate disk space of an installation, in bytes. */
  readonly diskBytes: number;
  /** Time limit from the start to the first answer. */
  readonly startTimeoutMs: number;
  install(context: InstallContext): Promise<void>;
  launch(context: LaunchContext): Launch;
}

export interface DriverOptions {
  /** Python to create environments with; by default the first suitable one on PATH. */
  python?: string | undefined;
  /** Variables that tell pip about the package registry; they are only for pip, since they may hold a password. */
  registry?: Readonly<Record<string, string>> | undefined;
}

export type EngineDrivers = Readonly<Record<EngineName, EngineDriver>>;

/** Probe of an engine that completes or embeds text. */
export function textProbe({ alias, category }: Pick<LaunchContext, 'alias' | 'category'>): Probe {
  const isEmbedding = category === 'embedding';
  return {
    path: isEmbedding ? '/v1/embeddings' : '/v1/completions',
    body: () =>
      JSON.stringify(isEmbedding ? { model: alias, input: 'a' } : { model: alias, prompt: 'a', max_tokens: 1 }),
  };
}
