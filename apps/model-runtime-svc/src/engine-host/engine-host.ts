/** A program that is to run where engines run. */
export interface EngineStart {
  /** A full path, or a name that is looked for there. */
  command: readonly [file: string, ...args: string[]];
  cwd: string;
  /** All that it gets beside what every program needs (`engineEnvironment`) and a private folder. */
  env?: Readonly<Record<string, string>>;
  /** Carried by it and by all that it starts, so that none of them is left behind. */
  mark?: string;
  /** Each line that it prints, on either stream. */
  onLine(line: string): void;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A program that runs there; it ends with its host, and with the agent that has started it. */
export interface EngineChild {
  /** Its number and the time of its start, as they are told there. */
  readonly pid: number;
  readonly startTime: string | null;
  readonly exited: Promise<Exit>;
  isAlive(): boolean;
  /** The processor time that it has used, in ticks; undefined where that is not known. */
  processorTicks(): Promise<number | undefined>;
  /** SIGTERM, then SIGKILL of the whole group after the grace time; resolves once nothing of it is left. */
  stop(graceMs?: number): Promise<void>;
}

export interface HostMemory {
  totalBytes: number;
  availableBytes: number;
}

/** Where engines run, apart from the agent and its secrets. */
export interface EngineHost {
  /** Rejects where the program cannot be started. */
  start(options: EngineStart): Promise<EngineChild>;
  /** Lets what runs there write into a folder of the agent. */
  share(folder: string): Promise<void>;
  /** Lets each program have a private folder within a folder of the agent. */
  shareForPrivateFolders(folder: string): Promise<void>;
  /** Removes what was written into a shared folder; one that is not there is empty. */
  empty(folder: string): Promise<void>;
  /** What programs have there, within a container's limit. */
  memory(): Promise<HostMemory>;
  close(): Promise<void>;
}

/** Engines cannot run where they should; it passes, or its message says what to change. */
export class EngineHostAway extends Error {
  override readonly name = 'EngineHostAway';
}

/** The folder within the home of the models where each program has a private one. */
export const PRIVATE_FOLDERS = 'tmp';
