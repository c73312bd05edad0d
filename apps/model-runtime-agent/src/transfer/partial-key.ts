import { canonicalJson, sha256Hex } from '@clew/kernel';
import type { ArtifactFile } from '@clew/contracts';

/** Names a download in progress by its source, since its hash may not be known yet. */
export function partialKeyOf(source: ArtifactFile['source']): string {
  return sha256Hex(canonicalJson(source.kind === 'hub' ? { ...source, gated: undefined } : source)).slice(0, 40);
}
