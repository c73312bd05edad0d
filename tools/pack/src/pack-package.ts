import { execFile } from 'node:child_process';
import { cp, glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../../..');

/** Packages that are published, in the order in which they need each other. */
export const PUBLISHED = ['sdk', 'cli'] as const;
export type PublishedName = (typeof PUBLISHED)[number];

interface PackageJson {
  version: string;
  private?: boolean;
  nx?: object;
  devDependencies?: object;
  dependencies?: Record<string, string>;
  exports?: Record<string, Record<string, string>>;
}

/**
 * Builds a package as it is published, without what is only of use in this repository, and packs it into a folder.
 *
 * @returns path of the archive
 */
export async function packPackage(name: PublishedName, folder: string): Promise<string> {
  const source = join(ROOT, 'libs', name);
  const stage = await mkdtemp(join(tmpdir(), `clew-pack-${name}-`));
  try {
    const manifest = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as PackageJson;
    await writeFile(join(stage, 'package.json'), `${JSON.stringify(published(manifest), null, 2)}\n`);
    await cp(join(ROOT, 'LICENSE'), join(stage, 'LICENSE'));
    await cp(join(source, 'README.md'), join(stage, 'README.md'));
    await compile(source, join(stage, 'dist'), { withTypes: manifest.exports !== undefined });
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: stage });
    return join(folder, archiveOf(stdout));
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

/** Returns the name of the archive that npm tells of: of a list of packages, or of an object of them by name. */
function archiveOf(stdout: string): string {
  const [packed] = Object.values(JSON.parse(stdout) as Record<string, { filename: string }>);
  if (packed === undefined) throw new Error(`npm pack told of no archive: ${stdout}`);
  return packed.filename;
}

/** Returns the manifest without what is only of use in this repository, with the versions of other packages of it. */
function published({ private: _, nx: __, devDependencies: ___, ...manifest }: PackageJson): PackageJson {
  const { dependencies, exports } = manifest;
  return {
    ...manifest,
    ...(dependencies === undefined ? {} : { dependencies: withVersions(dependencies, manifest.version) }),
    ...(exports === undefined ? {} : { exports: withoutSources(exports) }),
  };
}

function withVersions(dependencies: Record<string, string>, version: string): Record<string, string> {
  const entries = Object.entries(dependencies);
  return Object.fromEntries(entries.map(([name, wanted]) => [name, name.startsWith('@clew/') ? version : wanted]));
}

function withoutSources(exports: Record<string, Record<string, string>>): Record<string, Record<string, string>> {
  const entries = Object.entries(exports).map(([path, { 'clew-source': _, ...conditions }]) => [path, conditions]);
  return Object.fromEntries(entries) as Record<string, Record<string, string>>;
}

async function compile(source: string, outDir: string, { withTypes }: { withTypes: boolean }): Promise<void> {
  const types = withTypes ? ['--declaration', 'true'] : ['--declaration', 'false', '--noCheck', '--noResolve'];
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const options = ['-p', 'tsconfig.build.json', '--outDir', outDir, '--sourceMap', 'false', ...types];
  await run(process.execPath, [compiler, ...options], { cwd: source }).catch((error: { stdout?: string }) => {
    throw new Error(`${source} does not compile:\n${error.stdout ?? String(error)}`);
  });
  for await (const file of glob(join(outDir, '**/*.d.ts'))) {
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace(/((?:from|import\() ?['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2'));
  }
}
