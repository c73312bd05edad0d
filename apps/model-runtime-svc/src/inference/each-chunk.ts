import type { Readable } from 'node:stream';

/**
 * Gives what has come of a stream to `take`, in one piece, and more only once the promise for the last piece has been
 * kept. Rejects with what `take` throws, which also destroys the stream, or with why the stream did not come to its end.
 * (To iterate over the stream would do the same, and take a tenth longer for a short answer.)
 */
export function eachChunk(stream: Readable, take: (chunk: Buffer) => Promise<void> | undefined): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let isTaking = false;
  const takeWhatCame = () => {
    if (isTaking) return;
    try {
      for (let chunk = read(stream); chunk !== null; chunk = read(stream)) {
        const taken = take(chunk);
        if (taken === undefined) continue;
        isTaking = true;
        taken.then(goOn, giveUp);
        return;
      }
    } catch (error) {
      giveUp(error);
    }
  };
  const goOn = () => {
    isTaking = false;
    takeWhatCame();
  };
  const giveUp = (error: unknown) => {
    reject(error as Error);
    stream.off('readable', takeWhatCame).destroy();
  };
  stream.on('readable', takeWhatCame);
  stream.on('error', reject);
  stream.once('end', resolve);
  stream.once('close', () => {
    if (!stream.readableEnded) reject(new Error('The stream was closed before its end'));
  });
  return promise;
}

function read(stream: Readable): Buffer | null {
  return stream.read() as Buffer | null;
}
