import { ConnectionError, ClewError } from '../errors.ts';
import type { Answer } from '../http/send.ts';
import { eventsOf, jsonLinesOf } from '../bodies/lines.ts';

/** Opens a stream: sends the request and resolves with the body. */
export type OpenStream = () => Promise<Answer<ReadableStream<Uint8Array>>>;

/** Call whose answer comes piece by piece; it is sent when somebody begins to read. */
export class StreamCall<Item, Code extends string = string> implements AsyncIterable<Item> {
  /** Codes of the errors that it may throw, for types alone. */
  declare readonly errorCode?: Code;
  readonly #open: OpenStream;
  readonly #format: 'lines' | 'events';
  readonly #signal: AbortSignal | undefined;

  constructor(open: OpenStream, format: 'lines' | 'events', signal: AbortSignal | undefined) {
    this.#open = open;
    this.#format = format;
    this.#signal = signal;
  }

  /** Resolves with the bytes as they come, and with what the answer says beside them. */
  withResponse(): Promise<Answer<ReadableStream<Uint8Array>>> {
    return this.#open();
  }

  /** Resolves with the bytes as they come, to be piped into a file. */
  async bytes(): Promise<ReadableStream<Uint8Array>> {
    return (await this.#open()).data;
  }

  /** Iterates over the lines or events, each decoded. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void> {
    const { data, response } = await this.#open();
    const type = response.headers.get('content-type') ?? '';
    if (type.startsWith('text/csv')) throw new ClewError('A CSV has no items: read its bytes()');
    try {
      for await (const item of (this.#format === 'events' ? eventsOf : jsonLinesOf)(data)) yield refusedOr<Item>(item);
    } catch (thrown) {
      this.#signal?.throwIfAborted();
      if (thrown instanceof ClewError) throw thrown;
      throw new ConnectionError('The stream was cut', { cause: thrown });
    }
  }
}

/** Returns an item, unless it is the error that ends a stream of the inference routes. */
function refusedOr<Item>(item: unknown): Item {
  const { error } = (item ?? {}) as { error?: { message?: string } | null };
  if (typeof error === 'object' && error?.message !== undefined && Object.keys(item as object).length === 1) {
    throw new ClewError(error.message);
  }
  return item as Item;
}
