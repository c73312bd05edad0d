export type OnProgress = (progress: { bytesDone: number; bytesTotal: number | null }) => void;

export interface Progress {
  /** Bytes that came, or were there already. */
  add(fetchedBytes: number): void;
}

const INTERVAL_MS = 200;

/**
 * Tells of progress a few times a second. A file inside a package travels compressed: its progress is told in bytes of
 * the file itself, so that the files of a profile add up.
 */
export function createProgress(
  fetchBytes: number,
  artifactBytes: number,
  onProgress: OnProgress = () => undefined,
): Progress {
  let fetched = 0;
  let toldAtMs = -Infinity;
  return {
    add(bytes) {
      fetched += bytes;
      const nowMs = performance.now();
      if (nowMs - toldAtMs < INTERVAL_MS) return;
      toldAtMs = nowMs;
      const share = fetchBytes === 0 ? 1 : Math.min(1, fetched / fetchBytes);
      onProgress({ bytesDone: Math.floor(share * artifactBytes), bytesTotal: artifactBytes });
    },
  };
}
