export type OnProgress = (progress: { bytesDone: number; bytesTotal: number | null }) => void;

export interface Progress {
  /** Adds bytes that arrived, or that were already there. */
  add(fetchedBytes: number): void;
}

const INTERVAL_MS = 200;

/**
 * Reports progress a few times per second. A file inside a package is transferred compressed: its progress is reported
 * in bytes of the file itself, so that the files of a profile add up.
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
