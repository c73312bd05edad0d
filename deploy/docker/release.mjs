// REGISTRY=registry.example.com/clew SOURCE=https://git.example.com/clew node deploy/docker/release.mjs [--check]
// Builds every image for amd64 and arm64 with a bill of materials and its provenance, and pushes it. Refuses a base
// image without a digest, and a checkout with uncommitted changes. `--check` reports the problems and builds nothing.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readBases, unpinned } from './bases.mjs';

const FOLDER = new URL('.', import.meta.url);
const ROOT = new URL('../..', FOLDER);

const git = (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();

function problems(env) {
  const bases = unpinned(readBases()).map((name) => `${name} has no digest: node deploy/docker/pin-bases.mjs`);
  const missing = ['REGISTRY', 'SOURCE'].filter((name) => !env[name]).map((name) => `set ${name}`);
  const changed = git('status', '--porcelain') === '' ? [] : ['the checkout holds changes that are in no commit'];
  return [...bases, ...missing, ...changed];
}

const found = problems(process.env);
if (found.length > 0) {
  process.stderr.write(`Not released:\n${found.map((problem) => `  - ${problem}\n`).join('')}`);
  process.exitCode = 1;
} else if (!process.argv.includes('--check')) {
  const { version } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'));
  const files = ['bake.json', 'bases.json'].flatMap((name) => ['-f', `deploy/docker/${name}`]);
  const env = { ...process.env, VERSION: version, REVISION: git('rev-parse', 'HEAD') };
  const build = ['buildx', 'bake', ...files, '--sbom=true', '--provenance=mode=max', '--push'];
  execFileSync('docker', build, { cwd: ROOT, env, stdio: 'inherit' });
}
