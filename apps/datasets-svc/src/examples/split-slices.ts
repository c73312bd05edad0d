import type { Split, SplitRatio } from '@clew/contracts';
import type { Slice, SliceRequest } from '@clew/kernel';
import type { DatasetKey, ReadableVersion, StoredExample } from './example.ts';

export interface SplitSliceRequest extends SliceRequest {
  split: Split;
  ratio?: SplitRatio | undefined;
}

/** Reads slices of one split. Its implementation decides which Examples belong together. */
export type SplitSlices = (
  key: DatasetKey,
  version: ReadableVersion,
  request: SplitSliceRequest,
) => Promise<Slice<StoredExample>>;
