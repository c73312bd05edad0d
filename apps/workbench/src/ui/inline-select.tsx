import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useLatest } from './use-latest.ts';

interface InlineSelectProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly id: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
  readonly isDisabled?: boolean;
  /**
   * Whether a choice is a deed, as a role that is given: by keys it is taken once they rest, with Enter, or when the
   * field is left, so that the arrows may pass what is not meant.
   */
  readonly isDeed?: boolean;
}

const REST_MS = 700;

/**
 * Choice in a line of a table or a bar, whose name is read but not shown. It keeps the focus while it is disabled, as
 * during the request that it has begun, and takes no choice then.
 */
export function InlineSelect(props: InlineSelectProps): ReactNode {
  const { label, value, options, onChange, isDisabled = false, isDeed = false } = props;
  const [passed, setPassed] = useState<string>();
  const [hasFocus, setFocus] = useState(false);
  const isByKeys = useRef(false);
  const take = (chosen: string | undefined) => {
    setPassed(undefined);
    if (chosen !== undefined && chosen !== value) onChange(chosen);
  };
  useAfterRest(passed, take);
  return (
    <select
      aria-label={label}
      value={passed ?? value}
      disabled={isDisabled && !hasFocus}
      aria-disabled={isDisabled && hasFocus}
      className="h-7 rounded-md border border-line-strong bg-surface px-1.5 disabled:opacity-45 aria-disabled:opacity-45"
      onPointerDown={() => {
        isByKeys.current = false;
      }}
      onKeyDown={({ key }) => {
        isByKeys.current = true;
        if (key === 'Enter') take(passed);
      }}
      onFocus={() => setFocus(true)}
      onBlur={() => {
        setFocus(false);
        take(passed);
      }}
      onChange={({ currentTarget }) => {
        if (isDisabled) return;
        if (isDeed && isByKeys.current) setPassed(currentTarget.value);
        else take(currentTarget.value);
      }}
    >
      {options.map(({ id, label: text }) => (
        <option key={id} value={id}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** Takes what was passed last, once nothing else has been passed for a while. */
function useAfterRest(passed: string | undefined, take: (chosen: string) => void): void {
  const latest = useLatest(take);
  useEffect(() => {
    if (passed === undefined) return;
    const timer = setTimeout(() => latest.current(passed), REST_MS);
    return () => clearTimeout(timer);
  }, [passed, latest]);
}
