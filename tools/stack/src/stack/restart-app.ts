import { askSupervisor } from './control.ts';
import { createHome } from './home.ts';

/** Restarts the processes of an application of a running stack, one after the other. */
export async function restartApp(homeDirectory: string, name: string): Promise<void> {
  await askSupervisor(createHome(homeDirectory).socketFile, { command: 'restart', name });
}
