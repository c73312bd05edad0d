import { useState, type ReactNode } from 'react';
import { TextField } from '../ui/fields.tsx';

interface NumberFieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
  readonly min: number;
  readonly max: number;
  readonly isDisabled?: boolean;
}

/** Field of a whole number; while none is typed, the value stays. */
export function NumberField({ value, onChange, error, min, max, ...rest }: NumberFieldProps): ReactNode {
  const [typed, setTyped] = useState<string>();
  const number = Number(typed);
  const isNone = typed !== undefined && (typed.trim() === '' || !Number.isInteger(number));
  const isOutside = typed !== undefined && (number < min || number > max);
  return (
    <TextField
      {...rest}
      {...{ min, max }}
      type="number"
      value={typed !== undefined && (isNone || number === value) ? typed : String(value)}
      error={isNone || isOutside ? `A whole number from ${min} to ${max}.` : error}
      onChange={(text) => {
        setTyped(text);
        if (text.trim() !== '' && Number.isInteger(Number(text))) onChange(Number(text));
      }}
    />
  );
}
