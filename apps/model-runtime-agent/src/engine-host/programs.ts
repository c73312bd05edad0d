import { join, normalize, sep } from 'node:path';

/** Names of Pythons that create environments. */
export const PYTHONS = ['python3', 'python3.13', 'python3.12', 'python3.11', 'python3.10', 'python'] as const;

/** Program that lists the accelerators of the machine. */
export const GPU_QUERY_PROGRAM = 'nvidia-smi';

const OF_ENVIRONMENTS = ['python', 'vllm'].map((name) => join(sep, 'venv', 'bin', name));

export interface ClosedSet {
  /** Folder of the models. */
  home: string;
  /** Configured Python for creating environments. */
  python?: string | undefined;
}

/** Whether a program is one of those that install and start engines. */
export function isEngineProgram(file: string, { home, python }: ClosedSet): boolean {
  const names: readonly string[] = [...PYTHONS, GPU_QUERY_PROGRAM, ...(python === undefined ? [] : [python])];
  if (names.includes(file)) return true;
  const isPlain = normalize(file) === file;
  return isPlain && isInside(home, file) && OF_ENVIRONMENTS.some((ending) => file.endsWith(ending));
}

/** Whether a path is below a folder. */
export function isInside(folder: string, path: string): boolean {
  return normalize(path).startsWith(`${normalize(folder).replace(/\/$/, '')}${sep}`);
}
