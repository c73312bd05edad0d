import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { runCommandLine } from '@clew/stack';
import { OVERLAYS, renderedFile } from '../policy/rendered.ts';
import { render } from './kustomize.ts';

/** Renders every overlay; with `--check`, reports which of the committed renderings are outdated. */
async function main(): Promise<number> {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
  const stale: string[] = [];
  for (const overlay of OVERLAYS) {
    const file = renderedFile(overlay);
    const wanted = await render(overlay);
    if ((await readFile(file, 'utf8').catch(() => undefined)) === wanted) continue;
    stale.push(overlay);
    if (values.check) continue;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, wanted);
  }
  const found =
    stale.length === 0
      ? 'Rendered overlays are up to date.'
      : `${values.check ? 'Not up to date' : 'Written'}: ${stale.join(', ')}`;
  process.stdout.write(`${found}\n`);
  return values.check && stale.length > 0 ? 1 : 0;
}

process.exitCode = await runCommandLine('Usage: npm run render [-- --check]   (needs kustomize)', main);
