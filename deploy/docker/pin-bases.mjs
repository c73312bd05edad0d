// node deploy/docker/pin-bases.mjs: writes the digests that the bases have now into bases.json and the Dockerfile, for
// builds that are the same tomorrow. The digest is that of the list of all platforms, so that one is good for each.
import { execFileSync } from 'node:child_process';
import { readBases, withoutDigest, writeBases } from './bases.mjs';

function pinned(image) {
  const name = withoutDigest(image);
  const format = ['--format', '{{.Manifest.Digest}}'];
  const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] };
  return `${name}@${execFileSync('docker', ['buildx', 'imagetools', 'inspect', name, ...format], options).trim()}`;
}

const bases = Object.fromEntries(Object.entries(readBases()).map(([name, image]) => [name, pinned(image)]));
writeBases(bases);
for (const [name, image] of Object.entries(bases)) process.stdout.write(`${name}=${image}\n`);
