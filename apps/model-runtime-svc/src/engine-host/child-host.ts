import { randomBytes } from 'node:crypto';
import { chown, mkdir, readdir, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { startChild, type ChildUser } from './child.ts';
import { EngineHostAway, PRIVATE_FOLDERS, type EngineHost } from './engine-host.ts';
import { engineEnvironment } from './environment.ts';
import { isInside } from './programs.ts';

export interface ChildHostOptions {
  /** The folder of the models. */
  home: string;
  /** Whom programs run as; as this process does by default. */
  user?: ChildUser | undefined;
}

/** Runs engines as children of this process. */
export function createChildHost({ home, user }: ChildHostOptions): EngineHost {
  const handOver = async (folder: string) => {
    if (user !== undefined) await chown(folder, user.uid, user.gid);
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
      await (cleared ??= emptyFolder(join(home, PRIVATE_FOLDERS)));
      const privateFolder = await newPrivateFolder();
      const forget = () => rm(privateFolder, { recursive: true, force: true }).catch(() => undefined);
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
    async empty(folder) {
      // Whoever asks: root must never empty a folder of the machine.
      if (!isInside(home, folder)) throw new Error('The folder is not one of the models');
      await emptyFolder(folder);
    },
    async memory() {
      const limitBytes = process.constrainedMemory();
      const totalBytes = limitBytes > 0 ? Math.min(limitBytes, os.totalmem()) : os.totalmem();
      return { totalBytes, availableBytes: Math.min(totalBytes, process.availableMemory()) };
    },
    close: async () => undefined,
  };
}

async function emptyFolder(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  await Promise.all(names.map((name) => rm(join(folder, name), { recursive: true, force: true })));
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
