import { ChevronDown, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { count } from '../text/format.ts';
import { visibleText } from '../text/visible-text.ts';
import { Button } from './button.tsx';
import { cx } from './cx.ts';
import { ChoiceMenu } from './menu.tsx';

export interface FacetValue {
  readonly value: string;
  readonly label: string;
  readonly count?: number;
}

export interface FacetMenuProps {
  readonly title: string;
  readonly values: readonly FacetValue[];
  readonly chosen: readonly string[];
  readonly onChoose: (value: string) => void;
  readonly onClear: () => void;
}

const MAX_SHOWN = 50;

/** Filter whose values stand with their counts. */
export function FacetMenu({ title, values, chosen, onChoose, onClear }: FacetMenuProps): ReactNode {
  const labels = new Map(values.map(({ value, label }) => [value, label]));
  const shown = chosen.map((value) => visibleText(labels.get(value) ?? value)).join(', ');
  const missing = chosen.filter((value) => !labels.has(value)).map((value) => ({ value, label: value, count: 0 }));
  const choices = [...values, ...missing].slice(0, MAX_SHOWN);
  const isSet = chosen.length > 0;
  if (choices.length === 0) return null;
  return (
    <span className="inline-flex">
      <ChoiceMenu
        ariaLabel={isSet ? `${title}: ${shown}` : title}
        label={
          <>
            <span className="max-w-48 truncate">{isSet ? `${title}: ${shown}` : title}</span>
            {isSet ? null : <ChevronDown aria-hidden className="size-3.5 text-muted" />}
          </>
        }
        className={cx('h-7', isSet && 'rounded-r-none border-accent text-accent')}
        sections={[
          {
            choices: choices.map(({ value, label, count: many }) => ({
              id: value,
              label: visibleText(label),
              text: visibleText(label),
              hint: many === undefined ? undefined : count(many),
              isChosen: chosen.includes(value),
            })),
          },
        ]}
        onChoose={onChoose}
      />
      {isSet ? (
        <Button
          className="rounded-l-none border-l-0 border-accent px-1.5 text-accent"
          aria-label={`Clear ${title}`}
          onPress={onClear}
        >
          <X aria-hidden className="size-3.5" />
        </Button>
      ) : null}
    </span>
  );
}
