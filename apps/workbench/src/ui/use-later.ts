import { useEffect, useState } from 'react';

/** Time in which a page shows what it was opened for. */
const FIRST_SHOW_MS = 2_000;

let isLaterForAll = false;

/** Whether some time has passed since the first page was opened; what can wait for that takes no time from it. */
export function useLater(): boolean {
  const [isLater, setLater] = useState(isLaterForAll);
  useEffect(() => {
    if (isLater) return;
    const timer = setTimeout(() => {
      isLaterForAll = true;
      setLater(true);
    }, FIRST_SHOW_MS);
    return () => clearTimeout(timer);
  }, [isLater]);
  return isLater;
}

/** Whether what the component drew first has been painted; what comes then does not delay it. */
export function useAfterPaint(): boolean {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setPainted(true));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, []);
  return isPainted;
}
