import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { goModule } from '../../test-support/go-modules.ts';

const KUBERNETES = 'k8s.io/kubernetes';
const VERSION = 'v1.34.4';
/** Kubernetes publishes parts of itself as separate modules, whose version begins with 0 instead of 1. */
const PARTS_VERSION = VERSION.replace('v1.', 'v0.');
const [MAJOR, MINOR] = VERSION.slice(1).split('.');

/** Programs by the Go packages that they are built from; the package of etcd is called `server`. */
const PACKAGES = {
  etcd: 'go.etcd.io/etcd/server/v3',
  apiserver: `${KUBERNETES}/cmd/kube-apiserver`,
  controllers: `${KUBERNETES}/cmd/kube-controller-manager`,
  kubectl: `${KUBERNETES}/cmd/kubectl`,
} as const;

const FILES: Programs = {
  ...{ etcd: 'server', apiserver: 'kube-apiserver', controllers: 'kube-controller-manager', kubectl: 'kubectl' },
};

/** Paths of the programs of a control plane. */
export type Programs = Readonly<Record<keyof typeof PACKAGES, string>>;

/** Programs of a control plane, built from their Go modules once per machine and version. */
export function providePrograms(): Programs {
  const cache = process.env['CLEW_CACHE'] ?? join(homedir(), '.cache', 'clew');
  const folder = join(cache, `kubernetes-${VERSION}-${process.arch}`);
  if (!existsSync(folder)) build(folder);
  return Object.fromEntries(Object.entries(FILES).map(([name, file]) => [name, join(folder, file)])) as Programs;
}

/** Builds in a temporary folder and renames it at the end, so that an existing folder holds every program. */
function build(folder: string): void {
  if (spawnSync('go', ['version']).status !== 0) {
    throw new Error('The control plane is built from Go modules: this test needs Go (1.24 or newer) on PATH');
  }
  mkdirSync(dirname(folder), { recursive: true });
  const work = mkdtempSync(`${folder}.`);
  const programs = join(work, 'programs');
  mkdirSync(programs);
  writeModule(work);
  const stamp = { gitVersion: VERSION, gitMajor: MAJOR, gitMinor: MINOR };
  const flags = Object.entries(stamp).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`);
  const options = ['-mod=mod', '-buildvcs=false', '-ldflags', ['-s', '-w', ...flags].join(' '), '-o', `${programs}/`];
  process.stdout.write(`Building a control plane of Kubernetes ${VERSION} into ${folder}, once.\n`);
  execFileSync('go', ['build', ...options, ...Object.values(PACKAGES)], { cwd: work, stdio: 'inherit' });
  if (!existsSync(folder)) renameSync(programs, folder);
  rmSync(work, { recursive: true });
}

/**
 * Writes a module that requires Kubernetes with the exact versions of its release. `go install` refuses Kubernetes
 * itself, because that replaces its parts by folders; here they are replaced by the published modules.
 */
function writeModule(folder: string): void {
  const source = goModule(`${KUBERNETES}@${VERSION}`);
  const own = readFileSync(join(source, 'go.mod'), 'utf8')
    .replace(`module ${KUBERNETES}\n`, `module control-plane\n\nrequire ${KUBERNETES} ${VERSION}\n`)
    .replace(/=> \.\/staging\/src\/(\S+)/g, `=> $1 ${PARTS_VERSION}`);
  writeFileSync(join(folder, 'go.mod'), own);
  copyFileSync(join(source, 'go.sum'), join(folder, 'go.sum'));
  const imports = Object.values(PACKAGES).map((name) => `import _ "${name}"\n`);
  writeFileSync(join(folder, 'programs.go'), `//go:build never\n\npackage programs\n\n${imports.join('')}`);
}
