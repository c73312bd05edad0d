import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, lchown, mkdir, readdir, rm, rmdir, stat } from 'node:fs/promises';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { startChild, type ChildUser } from './child.ts';
import { EngineHostAway, PRIVATE_FOLDERS, type EngineHost } from './engine-host.ts';
import { engineEnvironment } from './environment.ts';
import { isInside } from './programs.ts';

/** Mode that lets others pass through a folder, but neither list nor change it. */
const PASSED_MODE = 0o711;

export interface ChildHostOptions {
  /** Folder of the models. */
  home: string;
  /** User of the programs; by default that of this process. */
  user?: ChildUser | undefined;
}

/** Runs engines as children of this process. */
export function createChildHost({ home, user }: ChildHostOptions): EngineHost {
  const handOver = async (folder: string) => {
    // A link that an engine has put in place of the folder must not be followed: this process is root.
    if (user !== undefined) await lchown(folder, user.uid, user.gid);
  };

  /** Removal of folders left by programs of an earlier process; it takes place before the first start. */
  let cleared: Promise<void> | undefined;

  async function newPrivateFolder(): Promise<string> {
    // Short name, since programs create sockets below it, whose paths are limited to about a hundred characters.
    const folder = join(home, PRIVATE_FOLDERS, randomBytes(6).toString('hex'));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await handOver(folder);
    return folder;
  }

  return {
    async start(options) {
      if (user !== undefined) await requireWay(home, user);
      await (cleared ??= removeAll(join(home, PRIVATE_FOLDERS), user));
      const privateFolder = await newPrivateFolder();
      const forget = () => removeFolder(privateFolder, user).catch(() => undefined);
      const env = { ...engineEnvironment(privateFolder), ...options.env };
      const child = await startChild({ ...options, env, user }).catch(async (error: unknown) => {
        await forget();
        throw error;
      });
      const gone = child.exited.then(forget);
      return {
        ...child,
        async stop(graceMs) {
          await child.stop(graceMs);
          await gone;
        },
      };
    },
    share: handOver,
    async shareForPrivateFolders(folder) {
      if (user === undefined) return;
      // Root owns the folder: engines may pass through it, but cannot replace another engine's private folder.
      await lchown(folder, process.getuid?.() ?? 0, process.getgid?.() ?? 0);
      await chmod(folder, PASSED_MODE);
    },
    async empty(folder) {
      // Guard, whoever calls: root must never empty other folders of the machine.
      if (!isInside(home, folder)) throw new Error('The folder is not one of the models');
      await (user === undefined ? removeAll(folder, user) : removeAs(user, folder));
    },
    async memory() {
      const limitBytes = process.constrainedMemory();
      const totalBytes = limitBytes > 0 ? Math.min(limitBytes, os.totalmem()) : os.totalmem();
      return { totalBytes, availableBytes: Math.min(totalBytes, process.availableMemory()) };
    },
    close: async () => undefined,
  };
}

/** Removes the content of a folder that engines themselves do not write into. */
async function removeAll(folder: string, user: ChildUser | undefined): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  await Promise.all(names.map((name) => removeFolder(join(folder, name), user)));
}

/** Removes a folder that engines write into. */
async function removeFolder(folder: string, user: ChildUser | undefined): Promise<void> {
  if (user === undefined) return await rm(folder, { recursive: true, force: true });
  await removeAs(user, folder);
  await rmdir(folder).catch(() => rm(folder, { force: true }));
}

/**
 * Removes an engine's files as its user: if root did it, another engine could place links to any file of the machine in
 * its way. The folder itself stays, since that user may not write to its parent.
 */
async function removeAs({ uid, gid }: ChildUser, folder: string): Promise<void> {
  const child = spawn('rm', ['-rf', '--', folder], { uid, gid, cwd: '/', stdio: 'ignore' });
  await once(child, 'close');
}

/** Throws EngineHostAway if a folder on the path to the models is closed to the user. */
async function requireWay(home: string, { uid, gid }: ChildUser): Promise<void> {
  for (let folder = home; ; folder = dirname(folder)) {
    const found = await stat(folder);
    const bit = found.uid === uid ? 0o100 : found.gid === gid ? 0o010 : 0o001;
    if ((found.mode & bit) === 0) {
      throw new EngineHostAway(
        `Engines run as user ${uid}, who may not enter ${folder}: say another place in MODEL_HOME, or a user who may in ENGINE_UID`,
      );
    }
    if (folder === dirname(folder)) return;
  }
}

/** User for engines; only root can give them a user other than its own. */
export function engineUser(id: number): ChildUser | undefined {
  return process.getuid?.() === 0 ? { uid: id, gid: id } : undefined;
}
