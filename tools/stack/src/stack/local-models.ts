import { CommandError } from '../system/run.ts';
import { findSeedScript, runSeedScript, type SeedScriptOptions } from './seed-script.ts';

export interface LocalModelsOptions extends SeedScriptOptions {
  log: (line: string) => void;
}

/** Whether the seeded project gets local models. */
export function wantsLocalModels(env: NodeJS.ProcessEnv): boolean {
  return env['CLEW_SEED'] !== 'none' && env['CLEW_LOCAL_MODEL'] !== 'off';
}

/**
 * Brings up local models in the seeded project through the API, while the stack is already serving. It never rejects:
 * if no registry is reachable, it logs that, and the next start tries again.
 */
export async function bringLocalModels({ log, ...options }: LocalModelsOptions): Promise<void> {
  const script = findSeedScript(options.repositoryRoot, 'local-models/main.ts');
  if (script === undefined) return;
  try {
    await runSeedScript(script, options, (line) => log(`local models: ${line}`));
  } catch (error) {
    if (options.signal.aborted) return;
    const reason = error instanceof CommandError ? error.ending : String(error);
    log(`local models: not complete (${reason}); the stack serves without them, and the next start tries again`);
  }
}
