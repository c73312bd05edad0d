// Serves one large file like a model hub, and prints its port: hub-process.ts <MiB>
import { startLoopbackHub, syntheticBytes } from '@clew/testing/hub';
import { FILE, REPO_ID } from './served.ts';

const sizeBytes = Number(process.argv[2]) * 1024 * 1024;
const hub = await startLoopbackHub([{ id: REPO_ID, files: { [FILE]: syntheticBytes(sizeBytes) } }]);
process.stdout.write(`${new URL(hub.url).port}\n`);
process.once('SIGTERM', () => void hub.stop());
