import { join, normalize, sep } from 'node:path';

/** The names of Pythons that environments are made with. */
export const PYTHONS = ['python3', 'python3.13', 'python3.12', 'python3.11', 'python3.10', 'python'] as const;

/** Lists the accelerators of the machine. */
export const GPU_QUERY_PROGRAM = 'nvidia-smi';

const OF_ENVIRONMENTS = ['python', 'vllm'].map((name) => join(sep, 'venv', 'bin', name));

export interface ClosedSet {
  /** The folder of the models. */
  home: string;
  /** The Python that is named to make environments with. */
  python?: string | undefined;
}

/** Whether a program is one of those that engines are installed and started by. */
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
