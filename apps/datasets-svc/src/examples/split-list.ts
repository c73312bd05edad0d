import type { Split, SplitRatio } from '@clew/contracts';
import type { CursorKey } from '@clew/kernel';
import type { Page } from '../list-page.ts';
import type { DatasetKey, ReadableVersion, StoredExample } from './example.ts';

export interface SplitPageQuery {
  split: Split;
  ratio?: SplitRatio | undefined;
  limit: number;
  after?: CursorKey | undefined;
}

/** A page, with the place that the next one goes on from: not that of its last item where others were passed over. */
export interface SplitPage extends Page<StoredExample> {
  reached: CursorKey | undefined;
}

/** Finds the pages of one split; which Examples belong together is told by others. */
export type SplitPages = (key: DatasetKey, version: ReadableVersion, query: SplitPageQuery) => Promise<SplitPage>;
