import { createCipheriv, createHash } from 'node:crypto';

/** Repository of the loopback hub, as a test describes it. */
export interface HubRepo {
  /** `<owner>/<name>` */
  id: string;
  files: Readonly<Record<string, Buffer | string>>;
  /** Sizes that the hub's lists report instead of the true ones, by path. */
  listedSizes?: Readonly<Record<string, number>>;
  /** Size from which files are on the CDN; 1,024 by default. */
  lfsFromBytes?: number;
  gated?: false | 'auto' | 'manual';
  private?: boolean;
  /** Tokens that give access if the repository is gated or private. */
  tokens?: readonly string[];
  pipelineTag?: string;
  tags?: readonly string[];
  library?: string;
  license?: string;
  downloads?: number;
  likes?: number;
  lastModified?: string;
  /** Parameters by their type, as the hub counts them in safetensors files. */
  parameters?: Readonly<Record<string, number>>;
}

export interface StoredFile {
  path: string;
  content: Buffer;
  /** Git's object id for the object in git: the content, or the pointer to it. */
  oid: string;
  /** SHA-256 of the content; null for a file that is in git itself. */
  sha256: string | null;
}

export interface StoredRepo extends HubRepo {
  sha: string;
  stored: readonly StoredFile[];
}

const DEFAULT_LFS_FROM_BYTES = 1_024;
export const POINTER_BYTES = 134;

export function storedRepo(repo: HubRepo): StoredRepo {
  const stored = Object.entries(repo.files)
    .map(([path, given]) => storedFile(path, Buffer.from(given), repo.lfsFromBytes ?? DEFAULT_LFS_FROM_BYTES))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
  const sha = createHash('sha1')
    .update(stored.map(({ path, oid }) => `${path} ${oid}\n`).join(''))
    .digest('hex');
  return { ...repo, sha, stored };
}

function storedFile(path: string, content: Buffer, lfsFromBytes: number): StoredFile {
  if (content.length < lfsFromBytes) return { path, content, oid: gitOid(content), sha256: null };
  const sha256 = createHash('sha256').update(content).digest('hex');
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256}\nsize ${content.length}\n`;
  return { path, content, oid: gitOid(Buffer.from(pointer)), sha256 };
}

/** Computes git's SHA-1 object id of a content. */
function gitOid(content: Buffer): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
}

/** Creates bytes that do not repeat, always the same for a seed: fast, and any lost part is detected. */
export function syntheticBytes(sizeBytes: number, seed = 'clew'): Buffer {
  const key = createHash('sha256').update(seed).digest();
  return createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(sizeBytes));
}
