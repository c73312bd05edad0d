import { AppError } from '@clew/kernel';
import { none } from 'stream-chain/core';
import { isMany } from 'stream-chain/defs.js';
import { jsonParser, type Token } from 'stream-json/core/parser.js';

export type JsonToken = Token;

/**
 * Yields the tokens of a JSON text that arrives in chunks of UTF-8, one list for each chunk. Long strings come in
 * pieces, so that no value has to fit in memory. Throws MALFORMED_BODY if the text is not JSON, at the latest at its
 * end.
 */
export async function* jsonTokens(chunks: AsyncIterable<Buffer>): AsyncGenerator<readonly JsonToken[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parse = jsonParser({ packValues: false, streamValues: true });
  const tokensOf = (text: string | typeof none): readonly JsonToken[] => {
    const tokens = parse(text as string);
    return isMany(tokens) ? (tokens.values as JsonToken[]) : [];
  };
  const malformed = (work: () => readonly JsonToken[]) => {
    try {
      return work();
    } catch (error) {
      throw new AppError('MALFORMED_BODY', 'The body is not valid JSON', { cause: error });
    }
  };
  for await (const chunk of chunks) yield malformed(() => tokensOf(decoder.decode(chunk, { stream: true })));
  yield malformed(() => [...tokensOf(decoder.decode()), ...tokensOf(none)]);
}
