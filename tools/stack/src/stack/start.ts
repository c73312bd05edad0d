import type { ProvisionContext } from '../provision/context.ts';
import type { AppForm, AppPrograms } from './app-programs.ts';
import type { AppDefinition } from './apps.ts';
import type { Home } from './home.ts';
import type { Progress } from './progress.ts';
import type { RunningStack, StackParts } from './running-stack.ts';

/** Options of a start; tests pass another set of applications. */
export interface StartOptions {
  home: Home;
  env: NodeJS.ProcessEnv;
  progress: Progress;
  /** Aborts the start where it is; `close` then stops the processes that it has started. */
  signal: AbortSignal;
  repositoryRoot?: string;
  appsDirectory?: string;
  apps?: readonly AppDefinition[];
  form: AppForm;
  /** Whether applications that run built are built first; true by default. */
  build?: boolean;
}

/** Start in progress. */
export interface Start {
  options: StartOptions;
  repositoryRoot: string;
  programs: AppPrograms;
  apps: readonly AppDefinition[];
  gatewayPort: number;
  context: ProvisionContext;
  parts: StackParts;
  stack: RunningStack;
}
