// Fetches one file of a hub into a new folder, verifies it, and prints the duration as JSON:
// node --conditions=clew-source apps/model-runtime-agent/bench/fetch.ts <hub> <repository> <path> <folder>
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createArtifactTransfer } from '../src/create-artifact-transfer.ts';

const [hubEndpoint = '', repoId = '', path = '', parent = ''] = process.argv.slice(2);
const folder = await mkdtemp(join(parent, 'clew-'));
const packageIndexUrl = new URL('http://127.0.0.1:9/simple/');
const transfer = createArtifactTransfer({ storeFolder: join(folder, 'store'), hubEndpoint, packageIndexUrl });
const source = { kind: 'hub', repoId, revision: 'main', path, gated: false } as const;
const startedAtMs = performance.now();
const { sha256 } = await transfer.fetchArtifact({
  file: { path, sizeBytes: null, sha256: null, source },
  destination: join(folder, path),
  signal: new AbortController().signal,
});
const durationMs = performance.now() - startedAtMs;
await transfer.close();
await rm(folder, { recursive: true });
process.stdout.write(JSON.stringify({ durationMs, sha256 }));
