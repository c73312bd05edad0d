import type { EngineName, ModelCategory } from '@clew/contracts';
import type { EngineHost } from '../../engine-host/index.ts';
import type { NodeFacts } from '../../resources/index.ts';

export interface InstallContext {
  /** An empty folder of this installation alone; of it, what engines run as may write into `venv` alone. */
  folder: string;
  /** Where the programs of the installation run. */
  host: Pick<EngineHost, 'start' | 'share'>;
  gpus: NodeFacts['gpus'];
  signal: AbortSignal;
  stage(stage: string): void;
  line(text: string): void;
}

/** What a service is started with. */
export interface LaunchContext {
  /** Where the engine was installed. */
  engineFolder: string;
  /** Where the files of the profile are, under the names that the profile gives them. */
  artifactFolder: string;
  files: readonly string[];
  /** A folder of this process alone, which it can read. */
  runFolder: string;
  /** A folder that the processes of this installation write into, and that lasts as long as it. */
  cacheFolder: string;
  host: string;
  port: number;
  apiKey: string;
  /** The name that the model answers to. */
  alias: string;
  category: ModelCategory;
  contextLength: number;
  parallelRequests: number;
}

/** The smallest request that proves that the engine can do its work. */
export interface Probe {
  path: string;
  body: () => string | FormData;
}

export interface Launch {
  command: readonly [file: string, ...args: string[]];
  env: Readonly<Record<string, string>>;
  /** Read by the program that is started; written before. */
  settings?: { file: string; content: unknown };
  probe: Probe;
}

/** What the agent knows of an engine. Every engine answers `GET /health` with 200 once it can be used. */
export interface EngineDriver {
  readonly name: EngineName;
  /** The version that is installed. */
  readonly version: string;
  /** What an installation takes on disk, roughly. */
  readonly diskBytes: number;
  /** How long it may take from the start to the first answer. */
  readonly startTimeoutMs: number;
  install(context: InstallContext): Promise<void>;
  launch(context: LaunchContext): Launch;
}

export interface DriverOptions {
  /** The Python to make environments with; the first on PATH that will do by default. */
  python?: string | undefined;
  /** What pip is told of the package registry, as variables: for pip alone, since they may hold a password. */
  registry?: Readonly<Record<string, string>> | undefined;
}

export type EngineDrivers = Readonly<Record<EngineName, EngineDriver>>;

/** The probe of an engine that completes text, or embeds it. */
export function textProbe({ alias, category }: Pick<LaunchContext, 'alias' | 'category'>): Probe {
  const isEmbedding = category === 'embedding';
  return {
    path: isEmbedding ? '/v1/embeddings' : '/v1/completions',
    body: () =>
      JSON.stringify(isEmbedding ? { model: alias, input: 'a' } : { model: alias, prompt: 'a', max_tokens: 1 }),
  };
}
