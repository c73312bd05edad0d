import { createHash } from 'node:crypto';
import type { EngineName } from '@clew/contracts';

export const SCRIPTED_VERSION = '1.0.0';
export const SCRIPTED_VERSIONS: Readonly<Record<EngineName, string>> = {
  'llama.cpp': SCRIPTED_VERSION,
  vllm: SCRIPTED_VERSION,
  'faster-whisper': SCRIPTED_VERSION,
};

/** Name of a file in the folder of the node; while it exists, installations fail. */
export const BROKEN_REGISTRY = 'registry-is-broken';

/** Name of a file in the folder of the node; while it exists, every source is away. */
export const AWAY_SOURCE = 'source-is-away';
/** Name of a file; while it exists, nothing more fits on the disk. */
export const FULL_DISK = 'disk-is-full';

export function contentOf(path: string): Buffer {
  return Buffer.from(`the bytes of ${path}`.repeat(100));
}

export function sha256Of(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
