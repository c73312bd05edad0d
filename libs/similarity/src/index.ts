export { DisjointSets } from './disjoint-sets.ts';
export { imul, mix32 } from './mix32.ts';
export { NearDuplicateIndex, type Neighbour } from './near-duplicate-index.ts';
export { joinNearDuplicates } from './join-near-duplicates.ts';
export { NumberList } from './number-list.ts';
export {
  bandKeysOf,
  decodeSignature,
  encodeSignature,
  NEAR_DUPLICATE_SIMILARITY,
  SIGNATURE_BANDS,
  SIGNATURE_BYTES,
  signatureOfTexts,
  similarityOf,
  type AddText,
} from './signature.ts';
export { SignatureList } from './signature-list.ts';
export { cosineOf, estimatedCosine, SAME_MEANING, sketchOf, vectorBandsOf, vectorOf } from './vector-bands.ts';
