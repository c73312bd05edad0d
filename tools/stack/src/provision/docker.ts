import { createHash } from 'node:crypto';
import { reasonOf, Unavailable } from '../system/errors.ts';
import { findOnPath } from '../system/files.ts';
import { run } from '../system/run.ts';
import type { CommandLine } from '../system/unit.ts';
import type { ProvisionContext } from './context.ts';

const ANSWER_TIMEOUT_MS = 3_000;
const PULL_TIMEOUT_MS = 300_000;

export interface Container {
  /** Role such as "mongo"; the names of container and volume also contain a hash of the home directory. */
  role: string;
  image: string;
  /** Ports of 127.0.0.1, with the container ports they lead to. */
  ports: readonly { host: number; container: number }[];
  /** Data directory of the server in the container. */
  dataPath: string;
  options?: readonly string[];
  command: readonly string[];
}

/** Name of the container and of its data volume; it differs for each home directory. */
export function containerName(home: string, role: string): string {
  return `clew-${createHash('sha256').update(home).digest('hex').slice(0, 10)}-${role}`;
}

/**
 * Arguments of `docker run`, which stays in the foreground: the container lives and ends like a local process. The data
 * are in a named volume, because files in a bind mount would belong to the server's user.
 */
export function dockerRunArguments(home: string, container: Container): string[] {
  const name = containerName(home, container.role);
  return [
    ...['run', '--rm', '--name', name, '--volume', `${name}:${container.dataPath}`],
    ...container.ports.flatMap((port) => ['--publish', `127.0.0.1:${port.host}:${port.container}`]),
    ...(container.options ?? []),
    container.image,
    ...container.command,
  ];
}

/** Command line that runs the container. */
export function dockerCommand(context: ProvisionContext, container: Container): CommandLine {
  return { file: 'docker', args: dockerRunArguments(context.home, container), env: context.env };
}

/** Removes the container of this role that an earlier run left behind. */
export async function removeContainer(context: Pick<ProvisionContext, 'home' | 'env'>, role: string): Promise<void> {
  await run('docker', ['rm', '--force', containerName(context.home, role)], { env: context.env }).catch(
    () => undefined,
  );
}

/** Removes the data of the role. */
export async function removeVolume(context: Pick<ProvisionContext, 'home' | 'env'>, role: string): Promise<void> {
  await run('docker', ['volume', 'rm', containerName(context.home, role)], { env: context.env }).catch(() => undefined);
}

/** Throws Unavailable unless Docker answers and has, or can pull, the image. */
export async function requireDockerImage(context: ProvisionContext, image: string): Promise<void> {
  if (findOnPath('docker', context.env['PATH']) === undefined) throw new Unavailable('there is no docker command');
  const options = { env: context.env, signal: context.signal };
  const info = await docker(['info', '--format', '{{.ServerVersion}}'], { ...options, timeoutMs: ANSWER_TIMEOUT_MS });
  // With a template, the client exits with 0 even if it could not reach the engine.
  if (info.stdout.trim() === '') throw new Unavailable('no Docker engine answers');
  const hasImage = await run('docker', ['image', 'inspect', image], options).then(
    () => true,
    () => false,
  );
  if (hasImage) return;
  context.log(`pulling ${image}`);
  await docker(['pull', '--quiet', image], { ...options, timeoutMs: PULL_TIMEOUT_MS });
}

async function docker(args: readonly string[], options: Parameters<typeof run>[2]): Promise<{ stdout: string }> {
  try {
    return await run('docker', args, options);
  } catch (error) {
    const output = error instanceof Error && 'output' in error ? String(error.output).trim() : '';
    throw new Unavailable(output.split('\n').at(-1) || reasonOf(error));
  }
}
