import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { useTemporaryDirectory } from '../test-support/temporary-directory.ts';
import { createDirectoryAtomic, firstWritableDirectory, readJson, rotateLog, tailOfFile, writeJson } from './files.ts';

const directory = useTemporaryDirectory();

describe('files of the stack', () => {
  it('are readable by their owner alone', () => {
    const file = path.join(directory(), 'secret.json');
    writeJson(file, { key: 'clew_x' });
    expect((fs.statSync(file).mode & 0o777).toString(8)).toBe('600');
  });

  it('count as missing when they are torn or of another shape', () => {
    const file = path.join(directory(), 'shape.json');
    fs.writeFileSync(file, '{"port":');
    expect(readJson(file, z.object({ port: z.number() }))).toBeUndefined();
    fs.writeFileSync(file, '{"port":"text"}');
    expect(readJson(file, z.object({ port: z.number() }))).toBeUndefined();
  });
});

describe('logs', () => {
  it('keep the previous run beside the new one', () => {
    const file = path.join(directory(), 'app.log');
    for (const run of ['first', 'second', 'third']) {
      rotateLog(file);
      fs.writeFileSync(file, run);
    }
    expect([fs.readFileSync(`${file}.1`, 'utf8'), fs.readFileSync(file, 'utf8')]).toEqual(['second', 'third']);
  });

  it('give their last lines however long they are', () => {
    const file = path.join(directory(), 'long.log');
    fs.writeFileSync(file, Array.from({ length: 50_000 }, (_, index) => `line ${index}`).join('\n'));
    expect(tailOfFile(file, 2)).toEqual(['line 49998', 'line 49999']);
    expect(tailOfFile(path.join(directory(), 'none.log'), 2)).toEqual([]);
  });
});

describe('a directory that is filled by two processes at once', () => {
  it('is complete whoever was first, and no other is left', async () => {
    const target = path.join(directory(), 'filled', 'packages');
    const fill = async (temporary: string) => fs.writeFileSync(path.join(temporary, 'file'), 'content');
    await Promise.all([createDirectoryAtomic(target, fill), createDirectoryAtomic(target, fill)]);
    expect(fs.readdirSync(target)).toEqual(['file']);
    expect(fs.readdirSync(path.dirname(target))).toEqual(['packages']);
  });

  it('is not there at all when filling it failed', async () => {
    const target = path.join(directory(), 'failed', 'packages');
    const filling = createDirectoryAtomic(target, () => Promise.reject(new Error('no network')));
    await expect(filling).rejects.toThrow('no network');
    expect(fs.readdirSync(path.dirname(target))).toEqual([]);
  });
});

describe('the cache directory', () => {
  it('is the first candidate that can be written', () => {
    const blocked = path.join(directory(), 'blocked');
    fs.writeFileSync(blocked, 'a file where a directory should be');
    const fallback = path.join(directory(), 'fallback');
    expect(firstWritableDirectory([path.join(blocked, 'cache'), fallback])).toBe(fallback);
  });
});
