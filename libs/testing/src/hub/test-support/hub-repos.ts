import { createHash } from 'node:crypto';
import { syntheticBytes, type HubRepo } from '../repository.ts';

export const LARGE = syntheticBytes(3_000_000);
export const SMALL = '{"a": 1}';
export const TOKEN = 'hf_with_access';
export const REPO: HubRepo = {
  id: 'acme/tiny-chat',
  pipelineTag: 'text-generation',
  tags: ['gguf'],
  license: 'mit',
  downloads: 9,
  lastModified: '2025-05-01T00:00:00.000Z',
  files: { 'weights/model.bin': LARGE, 'config.json': SMALL, 'README.md': '# Tiny' },
};
export const GATED: HubRepo = { ...REPO, id: 'acme/gated', gated: 'manual', tokens: [TOKEN], downloads: 5 };
export const HIDDEN: HubRepo = { ...REPO, id: 'acme/hidden', private: true, tokens: [TOKEN] };
export const OTHERS: HubRepo[] = Array.from({ length: 5 }, (_, index) => ({
  id: `acme/other-${index}`,
  files: { a: 'a' },
}));

export function sha256Of(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
