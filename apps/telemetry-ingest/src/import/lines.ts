/** A line of a streamed file, or the reason why it cannot be read. */
export type Line = { number: number; text: string } | { number: number; refusal: string };

const NEWLINE = 10;

/** Cuts a byte stream into lines of UTF-8 text; a line over the limit is refused without being held in memory. */
export async function* readLines(source: AsyncIterable<Buffer>, maxLineBytes: number): AsyncGenerator<Line> {
  let number = 0;
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  const finish = (): Line => {
    number += 1;
    const line = pendingBytes > maxLineBytes ? tooLong(number, maxLineBytes) : decode(number, Buffer.concat(pending));
    pending = [];
    pendingBytes = 0;
    return line;
  };
  const hold = (part: Buffer) => {
    pendingBytes += part.length;
    if (pendingBytes > maxLineBytes) pending = [];
    else pending.push(part);
  };
  for await (const chunk of source) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      hold(chunk.subarray(start, end));
      yield finish();
      start = end + 1;
    }
    if (start < chunk.length) hold(Buffer.from(chunk.subarray(start)));
  }
  if (pendingBytes > 0) yield finish();
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

function decode(number: number, bytes: Buffer): Line {
  try {
    return { number, text: UTF8.decode(bytes) };
  } catch {
    return { number, refusal: 'is not UTF-8' };
  }
}

function tooLong(number: number, maxLineBytes: number): Line {
  return { number, refusal: `is longer than ${maxLineBytes} bytes` };
}
