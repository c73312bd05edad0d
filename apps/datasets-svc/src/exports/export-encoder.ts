import type { StoredExample } from '../examples/index.ts';

/** Encoder of one export format, which writes a text for each Example. */
export interface ExportEncoder {
  contentType: string;
  extension: string;
  /** Text before the first Example. */
  header: string;
  /** Encodes an Example; `undefined` if the format cannot hold it. */
  encode(example: StoredExample): string | undefined;
}
