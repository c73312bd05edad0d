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

/** Others may enter what is in a folder, and neither list nor change it. */
const PASSED_MODE = 0o711;

export interface ChildHostOptions {
  /** The folder of the models. */
  home: string;
  /** Whom programs run as; as this process does by default. */
  user?: ChildUser | undefined;
}

/** Runs engines as children of this process. */
export function createChildHost({ home, user }: ChildHostOptions): EngineHost {
  const handOver = async (folder: string) => {
    // A folder that an engine has put a link in the place of must not be followed: this process is root.
    if (user !== undefined) await lchown(folder, user.uid, user.gid);
  };

  /** What programs of an earlier process have left behind is removed before the first one of this one. */
  let cleared: Promise<void> | undefined;

  async function newPrivateFolder(): Promise<string> {
    // Short, since programs put sockets below it, whose paths may have about a hundred characters.
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
      // Engines pass through it, and none can put anything in the place of another's private folder.
      await lchown(folder, process.getuid?.() ?? 0, process.getgid?.() ?? 0);
      await chmod(folder, PASSED_MODE);
    },
    async empty(folder) {
      // Whoever asks: root must never empty a folder of the machine.
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

/** Removes all that is in a folder which engines do not write into. */
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
 * Removes as its user what an engine has written: where root walked through it, another engine could put links to
 * anything of the machine in its way. The folder itself stays, since that user may not write beside it.
 */
async function removeAs({ uid, gid }: ChildUser, folder: string): Promise<void> {
  const child = spawn('rm', ['-rf', '--', folder], { uid, gid, cwd: '/', stdio: 'ignore' });
  await once(child, 'close');
}

/** Throws EngineHostAway where a folder on the way to the models is closed to the user. */
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

/** The user that engines get; nobody but root can give them another than its own. */
export function engineUser(id: number): ChildUser | undefined {
  return process.getuid?.() === 0 ? { uid: id, gid: id } : undefined;
}
