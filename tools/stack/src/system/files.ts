import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { ZodType } from 'zod';

/** Replaces a file atomically, so that a reader never sees half of it. Only the owner may read it. */
export function writeFileAtomic(file: string, content: string, mode = 0o600): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  fs.writeFileSync(temporary, content, { mode });
  fs.renameSync(temporary, file);
}

/** Writes a value as indented JSON, atomically. */
export function writeJson(file: string, value: unknown): void {
  writeFileAtomic(file, `${JSON.stringify(value, null, 2)}\n`);
}

/**
 * Reads a JSON file; undefined if it is missing, incomplete or of another shape, since all such files can be recreated.
 */
export function readJson<T>(file: string, schema: ZodType<T>): T | undefined {
  try {
    const parsed = schema.safeParse(JSON.parse(fs.readFileSync(file, 'utf8')));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps the log of the previous run as `.1`, so that the next run begins with an empty log. */
export function rotateLog(file: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.rmSync(`${file}.1`, { force: true });
  if (fs.existsSync(file)) fs.renameSync(file, `${file}.1`);
}

const TAIL_BYTES = 64 * 1024;

/** Last lines of a log, read from its end so that its size does not matter. */
export function tailOfFile(file: string, lineCount: number): string[] {
  if (!fs.existsSync(file)) return [];
  const descriptor = fs.openSync(file, 'r');
  try {
    const size = fs.fstatSync(descriptor).size;
    const length = Math.min(size, TAIL_BYTES);
    const buffer = Buffer.alloc(length);
    fs.readSync(descriptor, buffer, 0, length, size - length);
    return buffer.toString('utf8').trimEnd().split('\n').slice(-lineCount);
  } finally {
    fs.closeSync(descriptor);
  }
}

/**
 * Fills a directory next to its final place and renames it when complete. If another process was faster, its result is
 * kept: both have the same content.
 */
export async function createDirectoryAtomic(
  directory: string,
  fill: (temporary: string) => Promise<void>,
): Promise<void> {
  fs.mkdirSync(path.dirname(directory), { recursive: true });
  const temporary = fs.mkdtempSync(`${directory}.partial-`);
  try {
    await fill(temporary);
    fs.chmodSync(temporary, 0o755);
    try {
      fs.renameSync(temporary, directory);
    } catch (error) {
      if (!fs.existsSync(directory)) throw error;
    }
  } finally {
    fs.rmSync(temporary, { recursive: true, force: true });
  }
}

/** First writable directory of the candidates, which is created if necessary. */
export function firstWritableDirectory(candidates: readonly string[]): string {
  for (const candidate of candidates) {
    try {
      fs.mkdirSync(candidate, { recursive: true });
      fs.accessSync(candidate, fs.constants.W_OK | fs.constants.X_OK);
      return candidate;
    } catch {
      continue;
    }
  }
  throw new Error(`none of these directories can be written: ${candidates.join(', ')}`);
}

/** Path of the program of this name on PATH. */
export function findOnPath(program: string, searchPath = process.env['PATH'] ?? ''): string | undefined {
  for (const directory of searchPath.split(path.delimiter)) {
    if (directory === '') continue;
    const file = path.join(directory, program);
    try {
      fs.accessSync(file, fs.constants.X_OK);
      if (fs.statSync(file).isFile()) return file;
    } catch {
      continue;
    }
  }
  return undefined;
}
