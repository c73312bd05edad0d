export { snapshotText, type SnapshotContent } from './snapshot-content.ts';
export {
  createSnapshotWords,
  togetherRewritten,
  type HeldWords,
  type ReplacedWords,
  type SnapshotWords,
  type WordsHead,
} from './snapshot-words.ts';
export {
  snapshotChunkCollection,
  snapshotChunkModel,
  snapshotCollection,
  snapshotModel,
  type SnapshotChunk,
  type SnapshotHead,
} from './snapshot.model.ts';
export { chunkId, createSnapshotStore, type NewSnapshot, type SnapshotStore } from './snapshots.store.ts';
export { shownMessage, shownScore, withoutWords } from './words.ts';
