import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Files below this size are not worth another one: headers are as large. */
const MIN_BYTES = 1_024;
/** Endings of what is not compressed already, as fonts and images are. */
const COMPRESSIBLE: ReadonlySet<string> = new Set(['.js', '.css', '.svg', '.json', '.map', '.txt', '.wasm', '.html']);

/**
 * Writes `<file>.br` and `<file>.gz` beside each file of a folder for which that saves something. It compresses as well
 * as is possible, which takes seconds, so that it is done where the files are made and not where they are served.
 */
export async function compressFiles(folder: string): Promise<void> {
  const entries = await fs.promises.readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && COMPRESSIBLE.has(path.extname(entry.name)))
    .map((entry) => path.join(entry.parentPath, entry.name));
  await Promise.all(files.map(compressFile));
}

async function compressFile(file: string): Promise<void> {
  const content = await fs.promises.readFile(file);
  if (content.length < MIN_BYTES) return;
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  const made = await Promise.all([
    promisify(brotliCompress)(content, { params }).then((bytes) => ['.br', bytes] as const),
    promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }).then((bytes) => ['.gz', bytes] as const),
  ]);
  for (const [ending, bytes] of made) {
    if (bytes.length < content.length) await fs.promises.writeFile(`${file}${ending}`, bytes);
  }
}
