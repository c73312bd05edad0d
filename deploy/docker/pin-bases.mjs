// node deploy/docker/pin-bases.mjs [--write]: the bases of the Dockerfile with the digests that they have now, where a
// Docker engine is; `--write` puts them into the Dockerfile, for a build that is the same tomorrow.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = new URL('./Dockerfile', import.meta.url);
const BASE = /^ARG (\w*BASE)=([^@\s]+)(@sha256:[0-9a-f]{64})?$/gm;

function digestOf(image) {
  const docker = (...args) => execFileSync('docker', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  docker('pull', '--quiet', image);
  const [named] = JSON.parse(docker('image', 'inspect', '--format', '{{json .RepoDigests}}', image));
  return named.slice(named.indexOf('@'));
}

const pinned = readFileSync(FILE, 'utf8').replace(BASE, (_, name, image) => `ARG ${name}=${image}${digestOf(image)}`);
if (process.argv.includes('--write')) writeFileSync(FILE, pinned);
for (const [line] of pinned.matchAll(BASE)) process.stdout.write(`${line}\n`);
