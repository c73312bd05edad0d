import { useEffect, useState } from 'react';

/** Holder of the value of the last render, for what is done later; the holder stays the same. */
export function useLatest<Value>(value: Value): { readonly current: Value } {
  const [latest] = useState({ current: value });
  useEffect(() => {
    latest.current = value;
  });
  return latest;
}
