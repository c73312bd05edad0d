// Runs as a separate process: node official-download.ts <directory>. Leaves `mongod` in the directory.
import fs from 'node:fs';
import path from 'node:path';
import { DryMongoBinary, MongoBinary } from 'mongodb-memory-server-core';
import { MongoBinaryDownloadUrl } from 'mongodb-memory-server-core/lib/util/MongoBinaryDownloadUrl.js';
import { reasonOf } from '../../system/errors.ts';

// Without this limit, a network that silently drops traffic would cost minutes of retries.
const REACH_TIMEOUT_MS = 3_000;

async function requireReachable(downloadUrl: string): Promise<void> {
  const server = new URL(downloadUrl).host;
  try {
    const response = await fetch(downloadUrl, { signal: AbortSignal.timeout(REACH_TIMEOUT_MS) });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`it answers ${response.status} to ${downloadUrl}`);
  } catch (error) {
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new Error(`${server} cannot be reached (${reason instanceof Error ? reason.message : String(reason)})`, {
      cause: error,
    });
  }
}

async function download(directory: string): Promise<void> {
  const options = await DryMongoBinary.generateOptions();
  await requireReachable(await new MongoBinaryDownloadUrl({ ...options, platform: process.platform }).getDownloadUrl());
  const downloadDir = path.join(directory, 'download');
  const file = await MongoBinary.getPath({ downloadDir, checkMD5: true });
  fs.copyFileSync(file, path.join(directory, 'mongod'));
  fs.chmodSync(path.join(directory, 'mongod'), 0o755);
  fs.rmSync(downloadDir, { recursive: true, force: true });
}

const [directory] = process.argv.slice(2);
if (directory === undefined) throw new Error('usage: official-download.ts <directory>');
try {
  await download(directory);
} catch (error) {
  process.stderr.write(`Unavailable: ${reasonOf(error)}\n`);
  process.exitCode = 1;
}
