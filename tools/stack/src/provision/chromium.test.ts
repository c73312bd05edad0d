import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { useTemporaryDirectory } from '../test-support/temporary-directory.ts';
import { chromiumLibraries, provideChromium } from './chromium.ts';

const directory = useTemporaryDirectory();

function context(env: NodeJS.ProcessEnv) {
  return { env, cacheDirectory: directory(), log: () => undefined, signal: new AbortController().signal };
}

function program(name: string, says: string): string {
  const file = path.join(directory(), name);
  fs.writeFileSync(file, `#!/bin/sh\necho "${says}"\n`, { mode: 0o755 });
  return file;
}

describe('Chromium', () => {
  it('is that of CHROMIUM_PATH, once it has told its version', async () => {
    const file = program('browser', 'Google Chrome 150.0.1.2 unknown');
    const env = { PATH: '/bin', CHROMIUM_PATH: file };
    expect(await provideChromium(context(env))).toEqual({
      ...{ file, env, description: 'Chrome 150.0.1.2, CHROMIUM_PATH' },
    });
  });

  it('is no other than the one named, even if that is none', async () => {
    const env = { PATH: '/bin', CHROMIUM_PATH: program('other', 'GNU sed 4.9') };
    await expect(provideChromium(context(env))).rejects.toThrow('names no version');
    const gone = { ...env, CHROMIUM_PATH: path.join(directory(), 'gone') };
    await expect(provideChromium(context(gone))).rejects.toThrow('gone');
  });

  it('finds its libraries where the packages put them, before those of the caller', () => {
    const root = path.join(directory(), 'root');
    const libraries = path.join(root, 'usr/lib/x86_64-linux-gnu');
    fs.mkdirSync(path.join(libraries, 'pulseaudio'), { recursive: true });
    expect(chromiumLibraries(root, { LD_LIBRARY_PATH: '/own' })).toEqual([
      libraries,
      path.join(libraries, 'pulseaudio'),
      '/own',
    ]);
    expect(chromiumLibraries(root, { LD_LIBRARY_PATH: '' })).toHaveLength(2);
  });
});
