import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { copyWorkbench } from './assemble.ts';

it('the image holds the built Workbench, and each file that can be smaller also compressed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'clew-workbench-'));
  const [built, out] = [join(folder, 'dist'), join(folder, 'image', 'workbench')];
  const script = 'export const one = 1;\n'.repeat(200);
  mkdirSync(join(built, 'assets'), { recursive: true });
  writeFileSync(join(built, 'index.html'), '<base href="/">');
  writeFileSync(join(built, 'assets', 'index-1.js'), script);
  writeFileSync(join(built, 'assets', 'face-1.woff2'), script);
  await copyWorkbench(built, out);
  expect(readdirSync(out)).toEqual(['assets', 'index.html']);
  expect(readdirSync(join(out, 'assets')).toSorted()).toEqual([
    ...['face-1.woff2', 'index-1.js', 'index-1.js.br', 'index-1.js.gz'],
  ]);
  expect(brotliDecompressSync(readFileSync(join(out, 'assets', 'index-1.js.br'))).toString()).toBe(script);
  expect(readdirSync(join(built, 'assets'))).toHaveLength(2);
  rmSync(folder, { recursive: true });
});
