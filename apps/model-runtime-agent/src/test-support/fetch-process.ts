// Fetches one file of a hub in the same way as an agent, in a process that can be killed:
// node --conditions=clew-source fetch-process.ts <hub> <folder> <sizeBytes> <sha256>
import { join } from 'node:path';
import { createArtifactTransfer } from '../create-artifact-transfer.ts';
import { hubFile } from './hub-file.ts';

const [hubEndpoint = '', folder = '', sizeBytes = '', sha256 = ''] = process.argv.slice(2);
const transfer = createArtifactTransfer({
  storeFolder: join(folder, 'store'),
  hubEndpoint,
  packageIndexUrl: new URL('http://127.0.0.1:9/simple/'),
});
const file = hubFile('model.gguf', { sizeBytes: Number(sizeBytes), sha256 });
const destination = join(folder, 'model.gguf');
const fetched = await transfer.fetchArtifact({ file, destination, signal: new AbortController().signal });
process.stdout.write(JSON.stringify(fetched));
await transfer.close();
