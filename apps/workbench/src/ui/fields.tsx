import { useId, type ReactNode } from 'react';
import { cx } from './cx.ts';

interface FieldProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** Reason for which the API refused the value. */
  readonly error?: string;
  readonly className?: string;
  readonly children: (control: { readonly id: string; readonly 'aria-describedby'?: string }) => ReactNode;
}

/** Label of a control, with a hint below it and the reason for which its value was refused. */
export function Field({ label, hint, error, className, children }: FieldProps): ReactNode {
  const id = useId();
  const noteId = `${id}-note`;
  const hasNote = hint !== undefined || error !== undefined;
  return (
    <div className={cx('flex flex-col gap-1', className)}>
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children({ id, 'aria-describedby': hasNote ? noteId : undefined })}
      {hasNote ? (
        <p id={noteId} className={cx('text-xs', error === undefined ? 'text-muted' : 'text-critical')}>
          {error ?? hint}
        </p>
      ) : null}
    </div>
  );
}

const CONTROL = 'rounded-md border border-line-strong bg-surface px-2 placeholder:text-muted disabled:opacity-45';

interface ControlProps extends Omit<FieldProps, 'children'> {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  readonly maxLength?: number;
  readonly isDisabled?: boolean;
  readonly isMono?: boolean;
  readonly autoFocus?: boolean;
}

interface TextFieldProps extends ControlProps {
  readonly type?: 'text' | 'password' | 'email' | 'url' | 'number' | 'datetime-local';
  readonly min?: number;
  readonly max?: number;
  readonly step?: number | 'any';
}

/** Field of one line. */
export function TextField(props: TextFieldProps): ReactNode {
  const {
    value,
    onChange,
    placeholder,
    maxLength,
    isDisabled,
    isMono,
    autoFocus,
    type = 'text',
    min,
    max,
    step,
  } = props;
  return (
    <Field {...labelOf(props)}>
      {(control) => (
        <input
          {...control}
          {...{ type, value, placeholder, maxLength, autoFocus, min, max, step }}
          disabled={isDisabled}
          autoComplete="off"
          aria-invalid={props.error !== undefined}
          className={cx(CONTROL, 'h-8', isMono === true && 'font-mono text-xs')}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** Field of several lines. */
export function TextArea(props: ControlProps & { readonly rows?: number }): ReactNode {
  const { value, onChange, placeholder, maxLength, isDisabled, isMono, autoFocus, rows = 4 } = props;
  return (
    <Field {...labelOf(props)}>
      {(control) => (
        <textarea
          {...control}
          {...{ value, placeholder, maxLength, autoFocus, rows }}
          disabled={isDisabled}
          aria-invalid={props.error !== undefined}
          className={cx(CONTROL, 'resize-y py-1.5', isMono === true && 'font-mono text-xs')}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface SelectFieldProps extends Omit<ControlProps, 'placeholder' | 'maxLength' | 'isMono'> {
  readonly options: readonly { readonly id: string; readonly label: string }[];
}

/** Field with a choice of few. */
export function SelectField(props: SelectFieldProps): ReactNode {
  const { value, onChange, options, isDisabled, autoFocus } = props;
  return (
    <Field {...labelOf(props)}>
      {(control) => (
        <select
          {...control}
          {...{ value, autoFocus }}
          disabled={isDisabled}
          aria-invalid={props.error !== undefined}
          className={cx(CONTROL, 'h-8')}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          {options.map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface CheckFieldProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
  readonly isDisabled?: boolean;
  /** Whether it switches something at once, instead of being sent with a form. */
  readonly isSwitch?: boolean;
}

/** Choice between yes and no. */
export function CheckField({ label, hint, isChecked, onChange, isDisabled, isSwitch }: CheckFieldProps): ReactNode {
  const id = useId();
  return (
    <div className="flex min-h-6 items-start gap-2">
      <input
        id={id}
        type="checkbox"
        role={isSwitch === true ? 'switch' : undefined}
        checked={isChecked}
        disabled={isDisabled}
        aria-describedby={hint === undefined ? undefined : `${id}-note`}
        className="mt-0.5 size-3.5 accent-[var(--accent)]"
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <div className="min-w-0">
        <label htmlFor={id}>{label}</label>
        {hint === undefined ? null : (
          <p id={`${id}-note`} className="text-xs text-muted">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}

function labelOf({ label, hint, error, className }: Omit<FieldProps, 'children'>): Omit<FieldProps, 'children'> {
  return { label, hint, error, className };
}
