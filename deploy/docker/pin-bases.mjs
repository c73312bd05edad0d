// node deploy/docker/pin-bases.mjs: writes the current digests of the base images into bases.json and the Dockerfile,
// so that builds are reproducible. Each digest is that of the multi-platform list, so it is valid for every platform.
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
