import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { startLoopbackHub } from './loopback-hub.ts';
import { GATED, HIDDEN, LARGE, OTHERS, REPO, sha256Of, SMALL, TOKEN } from './test-support/hub-repos.ts';

/**
 * Installs the Python client from the package registry, which may be slow; undefined if that fails, so that there is
 * nothing to compare with.
 */
async function pythonWithClient(folder: string): Promise<string | undefined> {
  const run = promisify(execFile);
  const python = join(folder, 'python', 'bin', 'python');
  try {
    await run('python3', ['-m', 'venv', join(folder, 'python')]);
    await run(python, ['-m', 'pip', 'install', '--quiet', 'huggingface_hub==2.4.0'], { timeout: 90_000 });
    return python;
  } catch (error) {
    process.stderr.write(
      `The official Python client cannot be installed here, so it is not compared: ${String(error)}\n`,
    );
    return undefined;
  }
}

it('the official Python client reads the same as the JavaScript client', async () => {
  const hub = await startLoopbackHub([REPO, GATED, HIDDEN, ...OTHERS], { pageSize: 2 });
  const folder = await mkdtemp(join(tmpdir(), 'clew-hub-'));
  try {
    const python = await pythonWithClient(folder);
    if (python === undefined) return;
    const script = join(import.meta.dirname, 'test-support', 'read_hub.py');
    const args = [script, hub.url, REPO.id, GATED.id, 'weights/model.bin', 'config.json', TOKEN, join(folder, 'cache')];
    const env = { ...process.env, HF_HUB_DISABLE_XET: '1', HF_HOME: join(folder, 'home') };
    const { stdout } = await promisify(execFile)(python, args, { env, timeout: 60_000 });
    const seen = JSON.parse(stdout) as Record<string, unknown>;
    expect(seen).toEqual({
      models: expect.arrayContaining([REPO.id, GATED.id, 'acme/other-4']),
      searched: [REPO.id],
      info: { id: REPO.id, sha: expect.any(String), files: ['README.md', 'config.json', 'weights/model.bin'] },
      tree: {
        'README.md': { size: 6, sha256: null },
        'config.json': { size: SMALL.length, sha256: null },
        'weights/model.bin': { size: LARGE.length, sha256: sha256Of(LARGE) },
      },
      paths: ['config.json'],
      metadata: { etag: sha256Of(LARGE), size: LARGE.length, commit: expect.stringMatching(/^[0-9a-f]{40}$/) },
      large: sha256Of(LARGE),
      small: sha256Of(SMALL),
      gatedWithToken: sha256Of(LARGE),
      errors: {
        gated: 'GatedRepoError',
        gatedForOthers: 'GatedRepoError',
        repo: 'RepositoryNotFoundError',
        revision: 'RevisionNotFoundError',
        entry: expect.stringContaining('EntryNotFoundError'),
      },
    });
    expect(hub.requests.filter(({ origin, authorization }) => origin === 'cdn' && authorization !== undefined)).toEqual(
      [],
    );
  } finally {
    await hub.stop();
    await rm(folder, { recursive: true, force: true });
  }
}, 180_000);
