import type { Operation } from '../operation.ts';
import type { CallOptions, UploadProgress } from '../options.ts';

/** File or lines to send; things of an iterable are sent as lines of JSON. */
export type UploadBody =
  Blob | ReadableStream<Uint8Array> | Iterable<unknown> | AsyncIterable<unknown> | string | Uint8Array<ArrayBuffer>;

/** Body of a request in the form in which it is sent. */
export interface EncodedBody {
  /** Opens it for an attempt. */
  open(): string | Blob | FormData | ReadableStream<Uint8Array>;
  contentType: string | undefined;
  /** Whether it can be opened again. */
  isRepeatable: boolean;
}

interface BodyContext {
  operation: Operation;
  options: CallOptions;
  query: Readonly<Record<string, unknown>>;
}

const NDJSON = 'application/x-ndjson';

/** Encodes a body: a form as it is, a file by its kind, anything else as JSON. */
export function encodeBody(given: unknown, context: BodyContext): EncodedBody | undefined {
  if (given === undefined) return undefined;
  // The boundary of a form is in the media type that fetch sets.
  if (given instanceof FormData) return { open: () => given, contentType: undefined, isRepeatable: true };
  if (context.operation.file !== undefined) return encodeFile(given as UploadBody, context);
  const text = JSON.stringify(given);
  return { open: () => text, contentType: 'application/json', isRepeatable: true };
}

function encodeFile(given: UploadBody, { options, query }: BodyContext): EncodedBody {
  const contentType = options.contentType ?? (query['format'] === 'csv' ? 'text/csv' : NDJSON);
  const { onProgress } = options;
  if (typeof given === 'string' || given instanceof Uint8Array || given instanceof Blob) {
    const blob = given instanceof Blob ? given : new Blob([given]);
    const open = () => (onProgress === undefined ? blob : counted(blob.stream(), blob.size, onProgress));
    return { open, contentType, isRepeatable: true };
  }
  const stream = given instanceof ReadableStream ? given : streamOf(given);
  return { open: () => counted(stream, null, onProgress), contentType, isRepeatable: false };
}

/** Tells the caller how much of a stream has been sent. */
function counted(
  stream: ReadableStream<Uint8Array>,
  totalBytes: number | null,
  onProgress: ((progress: UploadProgress) => void) | undefined,
): ReadableStream<Uint8Array> {
  if (onProgress === undefined) return stream;
  let sentBytes = 0;
  return stream.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        controller.enqueue(chunk);
        sentBytes += chunk.length;
        onProgress({ sentBytes, totalBytes });
      },
    }),
  );
}

/** Size that pieces are gathered to, so that small things do not each make a chunk. */
const PIECE_BYTES = 65_536;

/** Makes a stream of an iterable of bytes, texts, or things that become lines of JSON. */
function streamOf(items: Iterable<unknown> | AsyncIterable<unknown>): ReadableStream<Uint8Array> {
  const pieces = gathered(items);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}

async function* gathered(items: Iterable<unknown> | AsyncIterable<unknown>): AsyncGenerator<Uint8Array, undefined> {
  const encoder = new TextEncoder();
  let text = '';
  for await (const item of items) {
    if (item instanceof Uint8Array) {
      if (text !== '') yield encoder.encode(text);
      text = '';
      yield item;
      continue;
    }
    text += typeof item === 'string' ? item : `${JSON.stringify(item)}\n`;
    if (text.length < PIECE_BYTES) continue;
    yield encoder.encode(text);
    text = '';
  }
  if (text !== '') yield encoder.encode(text);
  return undefined;
}
