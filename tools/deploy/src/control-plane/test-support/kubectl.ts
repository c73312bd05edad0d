import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ControlPlane } from './control-plane.ts';

const MAX_BYTES = 64 * 1024 * 1024;

/** Runs kubectl; resolves with its output, or rejects with its error output. */
export async function kubectl(
  { kubectl: program, kubeconfig }: ControlPlane,
  args: readonly string[],
  input?: string,
): Promise<string> {
  const running = promisify(execFile)(program, [...args], {
    env: { ...process.env, KUBECONFIG: kubeconfig },
    maxBuffer: MAX_BYTES,
  });
  running.child.stdin?.end(input);
  return (await running).stdout;
}
