import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { ConfigError } from '@clew/runtime';
import { INDEX_HTML, makeWorkbenchFolder } from '../test-support/workbench-folder.ts';
import { readWorkbench } from './workbench-files.ts';

const folders: string[] = [];
const made = (...given: Parameters<typeof makeWorkbenchFolder>) => {
  const folder = makeWorkbenchFolder(...given);
  folders.push(folder);
  return folder;
};
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

function problemOf(folder: string): string {
  try {
    readWorkbench(folder);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
}

describe('the folder of the Workbench', () => {
  it('is read with what the build has encoded, which is no file of its own', () => {
    const { assets } = readWorkbench(made());
    expect([...assets.keys()].toSorted()).toEqual([
      ...['/assets/face-1b.woff2', '/assets/index-5f3a.js', '/assets/index-77aa.css'],
    ]);
    expect(Object.keys(assets.get('/assets/index-5f3a.js')?.encoded ?? {})).toEqual(['br', 'gzip']);
    expect(assets.get('/assets/index-77aa.css')?.encoded).toEqual({});
  });

  it('may be reached by a symbolic link, and may have folders below its assets', () => {
    const link = join(made({ 'assets/de/words-0.js': 'x' }), 'link');
    symlinkSync(folders.at(-1) ?? '', link);
    expect(readWorkbench(link).assets.has('/assets/de/words-0.js')).toBe(true);
  });

  it('gives nothing that a symbolic link in it leads to, nor what is hidden', () => {
    const [folder, outside] = [made({ 'assets/.env': 'secret' }), mkdtempSync(join(tmpdir(), 'clew-outside-'))];
    folders.push(outside);
    writeFileSync(join(outside, 'secret.js'), 'secret');
    mkdirSync(join(outside, 'below'));
    writeFileSync(join(outside, 'below', 'secret.js'), 'secret');
    symlinkSync(join(outside, 'secret.js'), join(folder, 'assets', 'linked.js'));
    symlinkSync(join(outside, 'below'), join(folder, 'assets', 'linked'));
    const { assets } = readWorkbench(folder);
    expect([...assets.values()].map(({ content }) => content.toString())).not.toContain('secret');
    expect(assets.size).toBe(3);
  });

  it.each([
    ['has no page', { 'index.html': undefined }, 'ENOENT'],
    ['has a page without a base', { 'index.html': INDEX_HTML.replace('<base href="/">', '') }, 'exactly one <base'],
    ['has a page with two', { 'index.html': INDEX_HTML.replace('<base', '<base href="/"><base') }, 'exactly one <base'],
    ['lacks a script', { 'assets/index-5f3a.js': undefined }, 'lacks assets/index-5f3a.js'],
    ['lacks a style', { 'assets/index-77aa.css': undefined }, 'lacks assets/index-77aa.css'],
    ['has a page of nothing', { 'index.html': '<base href="/">' }, 'names no assets'],
  ])('is refused, by name and with the reason, when it %s', (_what, changes, reason) => {
    const folder = made(changes);
    expect(problemOf(folder)).toContain(`- WORKBENCH_DIR: ${folder} `);
    expect(problemOf(folder)).toContain(reason);
  });

  it('is refused when it is not there, or is a file, or has no assets', () => {
    const folder = made();
    expect(problemOf(join(folder, 'nowhere'))).toContain('(ENOENT)');
    expect(problemOf(join(folder, 'index.html'))).toContain('(ENOTDIR)');
    rmSync(join(folder, 'assets'), { recursive: true });
    expect(problemOf(folder)).toContain('(ENOENT)');
  });

  it('is refused when its page is a symbolic link, or when it is too large to be kept', () => {
    const [linked, large] = [made({ 'index.html': undefined }), made({ 'assets/large-0.bin': '' })];
    symlinkSync('/etc/hostname', join(linked, 'index.html'));
    expect(problemOf(linked)).toContain('is no file');
    truncateSync(join(large, 'assets/large-0.bin'), 65 * 1024 * 1024);
    expect(problemOf(large)).toContain('holds more than 64 MiB');
  });
});
