/** Program that is to run on the engine host. */
export interface EngineStart {
  /** Command: a full path, or a name that is looked up on the host. */
  command: readonly [file: string, ...args: string[]];
  cwd: string;
  /** Variables in addition to those that every program needs (`engineEnvironment`) and its private folder. */
  env?: Readonly<Record<string, string>>;
  /** Mark that the program and all its descendants carry, so that none is left behind. */
  mark?: string;
  /** Called with each line that it prints, on either stream. */
  onLine(line: string): void;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Program that runs on the host; it ends with its host, and with the agent that has started it. */
export interface EngineChild {
  /** Process number and start time, as seen on the host. */
  readonly pid: number;
  readonly startTime: string | null;
  readonly exited: Promise<Exit>;
  isAlive(): boolean;
  /** Returns the processor time used so far, in ticks; undefined if it is not known. */
  processorTicks(): Promise<number | undefined>;
  /** Sends SIGTERM, then SIGKILL to the whole group after the grace time; resolves when nothing of it is left. */
  stop(graceMs?: number): Promise<void>;
}

export interface HostMemory {
  totalBytes: number;
  availableBytes: number;
}

/** Host that runs engines, apart from the agent and its secrets. */
export interface EngineHost {
  /** Rejects if the program cannot be started. */
  start(options: EngineStart): Promise<EngineChild>;
  /** Lets programs on the host write into a folder of the agent. */
  share(folder: string): Promise<void>;
  /** Gives each program a private folder within a folder of the agent. */
  shareForPrivateFolders(folder: string): Promise<void>;
  /** Removes everything written into a shared folder; a missing folder counts as empty. */
  empty(folder: string): Promise<void>;
  /** Returns the memory of the host, within a container's limit. */
  memory(): Promise<HostMemory>;
  close(): Promise<void>;
}

/** Error: engines cannot run where they should. It may pass; otherwise its message says what to change. */
export class EngineHostAway extends Error {
  override readonly name = 'EngineHostAway';
}

/** Folder within the home of the models where each program has a private one. */
export const PRIVATE_FOLDERS = 'tmp';
