import { ClewError } from '../errors.ts';

/** Length of a line beyond which a stream is not read on. */
const MAX_LINE_LENGTH = 128 * 1_048_576;

/** Reads the lines of a stream as they come, without their ends; the last one needs none. */
export async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let length = 0;
  let isWhole = false;
  try {
    while (!isWhole) {
      const { done, value } = await reader.read();
      isWhole = done;
      const text = done ? decoder.decode() : decoder.decode(value, { stream: true });
      let start = 0;
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
        parts.push(text.slice(start, end));
        yield lineOf(parts);
        [parts, length, start] = [[], 0, end + 1];
      }
      parts.push(text.slice(start));
      length += text.length - start;
      if (length > MAX_LINE_LENGTH)
        throw new ClewError(`A line of the answer has more than ${MAX_LINE_LENGTH} characters`);
    }
    const last = lineOf(parts);
    if (last !== '') yield last;
  } finally {
    // Closes the connection when the caller stops reading early.
    if (!isWhole) await reader.cancel().catch(() => undefined);
  }
}

function lineOf(parts: readonly string[]): string {
  const line = parts.join('');
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

/** Reads lines of JSON. */
export async function* jsonLinesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<unknown, void> {
  for await (const line of linesOf(stream)) if (line !== '') yield JSON.parse(line);
}

/** Reads the data of server-sent events (HTML standard, section 9.2); `[DONE]` is their end, as the OpenAI API has it. */
export async function* eventsOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<unknown, void> {
  let data: string[] = [];
  for await (const line of linesOf(stream)) {
    if (line !== '') {
      const [, value] = /^data:? ?(.*)$/s.exec(line) ?? [];
      if (value !== undefined) data.push(value);
      continue;
    }
    if (data.length === 0) continue;
    const text = data.join('\n');
    data = [];
    if (text === '[DONE]') return;
    yield JSON.parse(text);
  }
}
