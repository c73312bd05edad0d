import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { useModelsFolder } from '../test-support/models-folder.ts';
import { indexUrlIn, pipIndexUrl } from './pip-settings.ts';

const newHome = useModelsFolder();

async function homeWith(path: string, text: string): Promise<string> {
  const home = await newHome();
  await mkdir(join(home, path, '..'), { recursive: true });
  await writeFile(join(home, path), text);
  return home;
}

describe('the package index', () => {
  it('is the one that PIP_INDEX_URL names, whatever the files say', async () => {
    const home = await homeWith('.config/pip/pip.conf', '[global]\nindex-url = https://file.example/simple\n');
    const env = { PIP_INDEX_URL: 'https://env.example/simple' };
    expect((await pipIndexUrl(env, home)).href).toBe('https://env.example/simple');
  });

  it.each(['.config/pip/pip.conf', '.pip/pip.conf'])('is the one of %s', async (path) => {
    const home = await homeWith(path, '[global]\nindex-url = https://file.example/simple\n');
    expect((await pipIndexUrl({}, home)).href).toBe('https://file.example/simple');
  });

  it('is the one of the file that PIP_CONFIG_FILE names', async () => {
    const home = await homeWith('mine.conf', '[global]\nindex_url: https://mine.example/simple\n');
    expect((await pipIndexUrl({ PIP_CONFIG_FILE: join(home, 'mine.conf') }, home)).href).toBe(
      'https://mine.example/simple',
    );
  });

  it('is PyPI where nothing is set', async () => {
    expect((await pipIndexUrl({ PIP_CONFIG_FILE: '/dev/null' }, await newHome())).href).toBe(
      'https://pypi.org/simple/',
    );
  });

  it('of the section for downloads goes before the one for everything', () => {
    const ini =
      '[install]\nindex-url = https://no\n[global]\nindex-url = https://a\n[download]\nindex-url = https://b\n';
    expect(indexUrlIn(ini)).toBe('https://b');
    expect(indexUrlIn('; index-url = x\n[global]\ntimeout = 60\n')).toBeUndefined();
  });
});
