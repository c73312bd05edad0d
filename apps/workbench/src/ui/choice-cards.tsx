import { useId, type ReactNode } from 'react';
import { cx } from './cx.ts';

interface ChoiceCardsProps<Id extends string> {
  readonly label: string;
  readonly choices: readonly { readonly id: Id; readonly title: string; readonly text: ReactNode }[];
  readonly chosen: Id | undefined;
  readonly onChoose: (id: Id) => void;
  readonly isDisabled?: boolean;
  readonly columns?: 1 | 2 | 3;
}

const COLUMNS = { 1: '', 2: 'sm:grid-cols-2', 3: 'sm:grid-cols-3' };

/** Choice of one of few things that need a sentence each. */
export function ChoiceCards<Id extends string>(props: ChoiceCardsProps<Id>): ReactNode {
  const { label, choices, chosen, onChoose, isDisabled, columns = 1 } = props;
  const name = useId();
  return (
    <fieldset disabled={isDisabled} className={cx('grid gap-2', COLUMNS[columns])}>
      <legend className="mb-1.5 font-medium">{label}</legend>
      {choices.map(({ id, title, text }) => (
        <label
          key={id}
          className={cx(
            'flex items-start gap-2.5 rounded-lg border px-3 py-2.5 has-focus-visible:outline-2 has-focus-visible:outline-focus',
            id === chosen ? 'border-accent bg-chosen' : 'border-line bg-surface',
            isDisabled !== true && id !== chosen && 'hover:bg-hover',
          )}
        >
          <input
            type="radio"
            name={name}
            checked={id === chosen}
            className="mt-0.5 size-3.5 shrink-0 accent-[var(--accent)]"
            onChange={() => onChoose(id)}
          />
          <span>
            <span className="block font-medium">{title}</span>
            <span className="block text-xs text-muted">{text}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
