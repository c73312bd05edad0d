import type { Answer } from '../http/send.ts';
import { ApiCall, type Result } from './api-call.ts';
import { StreamCall, type OpenStream } from './stream-call.ts';

/**
 * Call that is answered as a whole to whoever awaits it, and piece by piece to whoever iterates over it; it is sent
 * when one of both begins.
 */
export class EitherCall<T, Item, Code extends string = string>
  extends StreamCall<Item, Code>
  implements PromiseLike<T>
{
  readonly #readWhole: () => Promise<Answer<T>>;
  #whole: ApiCall<T, Code> | undefined;

  constructor(readWhole: () => Promise<Answer<T>>, open: OpenStream, signal: AbortSignal | undefined) {
    super(open, 'events', signal);
    this.#readWhole = readWhole;
  }

  then<Done = T, Failed = never>(
    onDone?: ((data: T) => Done | PromiseLike<Done>) | null,
    onFailed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Done | Failed> {
    return this.whole().then(onDone, onFailed);
  }

  /** Asks for the answer as a whole, once. */
  whole(): ApiCall<T, Code> {
    this.#whole ??= new ApiCall<T, Code>(this.#readWhole());
    return this.#whole;
  }

  /** Resolves with the whole answer, or with the API's error. */
  result(): Promise<Result<T, Code>> {
    return this.whole().result();
  }
}
