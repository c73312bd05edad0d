import { openAsBlob } from 'node:fs';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { Busboy, type BusboyFileStream, type BusboyHeaders } from '@fastify/busboy';
import { FormData } from 'undici';
import { AppError } from '@clew/kernel';

/** Form with at most one recording, which is on disk. */
export interface RecordingForm {
  fields: readonly (readonly [name: string, value: string])[];
  /** Throws VALIDATION_FAILED if the form has no recording. */
  requireFile(): void;
  /** Builds the form to send on, with other values for some fields. Throws the same error as `requireFile`. */
  toFormData(replacements: Readonly<Record<string, string>>): Promise<FormData>;
  remove(): Promise<void>;
}

export interface ReceiveFormOptions {
  request: IncomingMessage;
  directory: string;
  maxFileBytes: number;
  /**
   * Called with the number of recording bytes received so far, before they are stored; an exception ends the reading.
   */
  onBytes(bytes: number): void;
}

interface ReceivedFile {
  fieldName: string;
  path: string;
  name: string;
  mimeType: string;
}

const MAX_FIELDS = 50;
const MAX_FIELD_BYTES = 256 * 1024;

/** Reads a multipart form as it arrives; its recording goes to disk, so that one of any size takes little memory. */
export async function receiveForm(options: ReceiveFormOptions): Promise<RecordingForm> {
  await mkdir(options.directory, { recursive: true });
  const folder = await mkdtemp(join(options.directory, 'recording-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const { fields, file } = await readParts(options, join(folder, 'file'));
    const requireFile = () => {
      if (file === undefined) throw missing('file');
      return file;
    };
    return {
      fields,
      remove,
      requireFile,
      async toFormData(replacements) {
        const { fieldName, path, mimeType, name: fileName } = requireFile();
        const form = new FormData();
        for (const [name, value] of fields) form.append(name, replacements[name] ?? value);
        form.append(fieldName, await openAsBlob(path, { type: mimeType }), fileName);
        return form;
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function readParts(options: ReceiveFormOptions, path: string) {
  const { request, maxFileBytes } = options;
  const parser = parserFor(request, maxFileBytes);
  const fields: (readonly [string, string])[] = [];
  const streams: BusboyFileStream[] = [];
  const files: Promise<ReceivedFile>[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  parser.on('field', (name, value, nameCut, valueCut) => {
    if (nameCut || valueCut) reject(tooLarge(`The field ${name.slice(0, 100)}`, MAX_FIELD_BYTES));
    else fields.push([name, value]);
  });
  parser.on('file', (fieldName, stream, name, _encoding, mimeType) => {
    const saved = save(stream, path, options).then(() => ({ fieldName, path, name, mimeType }));
    saved.catch(reject);
    streams.push(stream);
    files.push(saved);
  });
  parser.on('partsLimit', () => reject(new AppError('BAD_REQUEST', 'The form has too many parts')));
  parser.on('filesLimit', () => reject(new AppError('BAD_REQUEST', 'The form has more than one file')));
  parser.on('error', (error) => reject(malformed(error)));
  parser.on('finish', () => resolve());
  // The request may have broken off before the listeners were added.
  finished(request, { writable: false }).catch((error: unknown) => reject(malformed(error)));
  request.pipe(parser);
  try {
    await promise;
    const [file] = await Promise.all(files);
    return { fields, file };
  } catch (error) {
    request.unpipe(parser);
    request.resume();
    // A parser that gets no more data does not end its files.
    for (const stream of streams) stream.destroy();
    await Promise.allSettled(files);
    throw error;
  }
}

function parserFor(request: IncomingMessage, maxFileBytes: number): InstanceType<typeof Busboy> {
  const contentType = request.headers['content-type'] ?? '';
  if (!contentType.toLowerCase().startsWith('multipart/form-data')) {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'content-type must be multipart/form-data');
  }
  try {
    return new Busboy({
      headers: request.headers as BusboyHeaders,
      limits: {
        files: 1,
        fields: MAX_FIELDS,
        parts: MAX_FIELDS + 1,
        fieldSize: MAX_FIELD_BYTES,
        fileSize: maxFileBytes,
      },
    });
  } catch (error) {
    throw malformed(error);
  }
}

async function save(stream: BusboyFileStream, path: string, options: ReceiveFormOptions): Promise<void> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  await pipeline(counted(stream as Readable, options.onBytes), file);
  if (stream.truncated) throw tooLarge('The recording', options.maxFileBytes);
}

async function* counted(chunks: AsyncIterable<Buffer>, onBytes: (bytes: number) => void): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    onBytes(bytes);
    yield chunk;
  }
}

function malformed(cause: unknown): AppError {
  return new AppError('MALFORMED_BODY', 'The form could not be read', { cause });
}

function tooLarge(what: string, maxBytes: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', `${what} is larger than ${maxBytes} bytes`);
}

function missing(field: string): AppError {
  const details = [{ path: `body.${field}`, message: 'is required' }];
  return new AppError('VALIDATION_FAILED', `body.${field}: is required`, { details });
}
