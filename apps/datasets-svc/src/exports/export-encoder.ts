import type { StoredExample } from '../examples/index.ts';

/** Writes Examples in one format, a text for each. */
export interface ExportEncoder {
  contentType: string;
  extension: string;
  /** What comes before the first Example. */
  header: string;
  /** Undefined for an Example that the format cannot hold. */
  encode(example: StoredExample): string | undefined;
}
