import { useEffect, useState } from 'react';

/** Time for which a cursor rests on a row that somebody looks at. */
const SETTLED_MS = 150;

/** Value once it has stayed the same for a while, so that what passes by costs nothing. */
export function useSettled<Value>(value: Value, afterMs = SETTLED_MS): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), afterMs);
    return () => clearTimeout(timer);
  }, [value, afterMs]);
  return settled;
}
