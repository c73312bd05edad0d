import { ApiError } from '../errors.ts';
import type { Answer } from '../http/send.ts';

/** Outcome of a call whose errors are values. */
export type Result<T, Code extends string> = { ok: true; data: T } | { ok: false; error: ApiError<Code> };

/** Call that is under way: a promise of its data, which also tells of the answer around it. */
export class ApiCall<T, Code extends string = string> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'ApiCall';
  readonly #answer: Promise<Answer<T>>;

  constructor(answer: Promise<Answer<T>>) {
    this.#answer = answer;
  }

  /** Resolves with the data and with what the answer says beside it: headers, request id, entity tag. */
  withResponse(): Promise<Answer<T>> {
    return this.#answer;
  }

  /** Resolves with the data or with the API's error, whose `code` is one of those that this operation declares. */
  async result(): Promise<Result<T, Code>> {
    try {
      return { ok: true, data: (await this.#answer).data };
    } catch (error) {
      if (error instanceof ApiError) return { ok: false, error: error as ApiError<Code> };
      throw error;
    }
  }

  then<Done = T, Failed = never>(
    onDone?: ((data: T) => Done | PromiseLike<Done>) | null,
    onFailed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Done | Failed> {
    return this.#answer.then(({ data }) => data).then(onDone, onFailed);
  }

  catch<Failed = never>(onFailed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null): Promise<T | Failed> {
    return this.then(undefined, onFailed);
  }

  finally(onEnd?: (() => void) | null): Promise<T> {
    return this.then().finally(onEnd);
  }
}
