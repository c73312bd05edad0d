import type { ExportEncoder } from './export-encoder.ts';

export const JSONL = { contentType: 'application/jsonl; charset=utf-8', extension: 'jsonl', header: '' } as const;

/** Our own form: the content as it is stored, behind what the Example is called here. */
export const jsonlEncoder: ExportEncoder = {
  ...JSONL,
  encode({ id, createdAt, updatedAt, body }) {
    return `{"id":"${id}","createdAt":${createdAt},"updatedAt":${updatedAt},${body.slice(1)}\n`;
  },
};
