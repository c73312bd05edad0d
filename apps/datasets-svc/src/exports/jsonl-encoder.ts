import type { ExportEncoder } from './export-encoder.ts';

export const JSONL = { contentType: 'application/jsonl; charset=utf-8', extension: 'jsonl', header: '' } as const;

/** Our own format: the stored content, after the id and times that the Example has here. */
export const jsonlEncoder: ExportEncoder = {
  ...JSONL,
  encode({ id, createdAt, updatedAt, body }) {
    return `{"id":"${id}","createdAt":${createdAt},"updatedAt":${updatedAt},${body.slice(1)}\n`;
  },
};
