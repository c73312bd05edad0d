export { type ArtifactStore, createArtifactStore } from './artifact-store.ts';
export { type FreeBytes, freeBytesOf, isDiskFull } from './disk-space.ts';
export { RETRY_POLICY } from './read-range.ts';
export { createTransfer, type ResolveArtifact, type Transfer } from './transfer.ts';
