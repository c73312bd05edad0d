import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { compressFiles, hasWorkbench } from '@clew/stack';
import { WORKBENCH_FOLDER, type ImageContent } from './image-content.ts';
import { Lock, pruneLock } from './prune-lock.ts';

export const ROOT = join(import.meta.dirname, '../../../..');

export interface AssembleOptions {
  readonly content: ImageContent;
  /** Folder that does not exist yet; it becomes `/app` of the image. */
  readonly out: string;
}

/** File in `/app` of the image. */
export const BILL_OF_MATERIALS = 'sbom.cdx.json';
const WORKBENCH_SOURCES = 'apps/workbench';
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

const Manifest = z.looseObject({ name: z.string(), version: z.string() });
const RootManifest = Manifest.extend({ license: z.string(), overrides: z.record(z.string(), z.string()).optional() });

/**
 * Creates the folder that becomes `/app` of an image, in `deploy/docker/Dockerfile` as well as without Docker. It
 * builds the workspaces, copies their compiled code and the files they read, and installs their production dependencies
 * in the versions of the lock file. Every user can read all of it; no process writes to it at run time.
 */
export async function assembleImage({ content, out }: AssembleOptions): Promise<void> {
  const whole = Lock.parse(JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')));
  const { lock, workspaces } = pruneLock(whole, [content.main, ...content.alongside]);
  await build(workspaces);
  await mkdir(out, { recursive: true });
  await writeRoot(out, lock, workspaces);
  for (const folder of workspaces) await copyWorkspace(folder, out);
  if (content.workbench === true) await addWorkbench(out);
  for (const asset of content.assets) await cp(join(ROOT, asset), join(out, asset), { recursive: true });
  await cp(join(ROOT, 'deploy/docker/health-check.mjs'), join(out, 'health-check.mjs'));
  await symlink(content.main, join(out, 'app'));
  await run('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], out);
  await writeBillOfMaterials(out);
  await dropUnread(out);
}

async function build(workspaces: readonly string[]): Promise<void> {
  const names = await Promise.all(workspaces.map(async (folder) => (await manifestOf(folder)).name));
  const nx = join(ROOT, 'node_modules/.bin/nx');
  await run(process.execPath, [nx, 'run-many', '--target=build', `--projects=${names.join(',')}`], ROOT);
}

async function writeRoot(out: string, lock: Lock, workspaces: readonly string[]): Promise<void> {
  const { name, version, license, overrides } = RootManifest.parse(
    JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')),
  );
  const manifest = { name, version, license, private: true, type: 'module', workspaces, overrides };
  await writeJson(join(out, 'package.json'), manifest);
  await writeJson(join(out, 'package-lock.json'), lock);
}

async function copyWorkspace(folder: string, out: string): Promise<void> {
  const { devDependencies, ...manifest } = await manifestOf(folder);
  void devDependencies;
  await mkdir(join(out, folder), { recursive: true });
  await writeJson(join(out, folder, 'package.json'), manifest);
  await cp(join(ROOT, folder, 'dist'), join(out, folder, 'dist'), {
    recursive: true,
    filter: (source) => extname(source) === '' || (extname(source) === '.js' && !isTestSupport(source)),
  });
}

function isTestSupport(path: string): boolean {
  return /\.(i|l)?test\.js$/.test(path) || path.includes('/test-support/');
}

async function manifestOf(folder: string): Promise<z.infer<typeof Manifest>> {
  return Manifest.parse(JSON.parse(await readFile(join(ROOT, folder, 'package.json'), 'utf8')));
}

/** Adds the Workbench, built and compressed, where the checkout has one; its packages are in its files. */
async function addWorkbench(out: string): Promise<void> {
  if (!hasWorkbench(ROOT)) return;
  await build([WORKBENCH_SOURCES]);
  await copyWorkbench(join(ROOT, WORKBENCH_SOURCES, 'dist'), join(out, WORKBENCH_FOLDER));
}

/** Copies a built Workbench, with compressed files beside its own. */
export async function copyWorkbench(built: string, out: string): Promise<void> {
  await cp(built, out, { recursive: true });
  await compressFiles(out);
}

/** Writes a CycloneDX bill of materials of the installed packages, for scanners of known vulnerabilities. */
async function writeBillOfMaterials(out: string): Promise<void> {
  const bill = await outputOf('npm', ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--omit=dev'], out);
  await writeFile(join(out, BILL_OF_MATERIALS), bill);
}

/** Removes type files and source maps of packages: only compilers need them, and Node runs no TypeScript there. */
async function dropUnread(out: string): Promise<void> {
  const unread = ['*.ts', '*.mts', '*.cts', '*.map', 'README*', 'CHANGELOG*'].flatMap((name) => ['-o', '-name', name]);
  await run('find', ['.', '-type', 'f', '(', ...unread.slice(1), ')', '-delete'], out);
  await run('chmod', ['-R', 'a+rX,go-w', '.'], out);
}

function writeJson(file: string, value: unknown): Promise<void> {
  return writeFile(file, `${JSON.stringify(value, null, 2)}\n`);
}

/** Without the Nx daemon, which would outlive the step. */
const environment = () => {
  const PATH = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
  return { ...process.env, PATH, NX_DAEMON: 'false', NX_TUI: 'false' };
};

async function outputOf(command: string, args: readonly string[], cwd: string): Promise<string> {
  const options = { cwd, env: environment(), maxBuffer: MAX_OUTPUT_BYTES };
  return (await promisify(execFile)(command, [...args], options)).stdout;
}

/** Runs a command; its standard output goes to standard error, because it only shows progress. */
async function run(command: string, args: readonly string[], cwd: string): Promise<void> {
  const child = spawn(command, args, { cwd, env: environment(), stdio: ['ignore', process.stderr, 'inherit'] });
  const code = await new Promise<number>((done, fail) => {
    child.once('error', fail);
    child.once('close', (ended) => done(ended ?? 1));
  });
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`);
}
