import type { FileHead } from './import-preview.ts';

const HEAD_BYTES = 262_144;

/** Reads the beginning of a file; one that was compressed with gzip is opened. */
export async function readHead(file: File): Promise<FileHead> {
  if (!file.name.toLowerCase().endsWith('.gz')) {
    const text = await file.slice(0, HEAD_BYTES).text();
    return { name: file.name, text, isCut: file.size > HEAD_BYTES };
  }
  const reader = file.stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  const decoder = new TextDecoder();
  let [text, isCut] = ['', false];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
    if (text.length < HEAD_BYTES) continue;
    isCut = true;
    await reader.cancel();
    break;
  }
  return { name: file.name, text, isCut };
}
