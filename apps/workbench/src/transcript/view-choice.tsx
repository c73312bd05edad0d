import type { ReactNode } from 'react';
import { MESSAGE_VIEWS, type MessageView } from '../preferences/preferences.ts';
import { cx } from '../ui/cx.ts';
import { VIEW_LABELS } from './message-views.ts';

interface ViewChoiceProps {
  readonly view: MessageView;
  readonly onChoose: (view: MessageView) => void;
}

/** Choice of the way in which all messages are shown. */
export function ViewChoice({ view, onChoose }: ViewChoiceProps): ReactNode {
  return (
    <div role="group" aria-label="Show messages as" className="flex rounded-md border border-line-strong text-xs">
      {MESSAGE_VIEWS.map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={each === view}
          className={cx(
            'h-6 px-2 first:rounded-l-[5px] last:rounded-r-[5px]',
            each === view ? 'bg-chosen font-medium' : 'text-muted hover:bg-hover hover:text-ink',
          )}
          onClick={() => onChoose(each)}
        >
          {VIEW_LABELS[each]}
        </button>
      ))}
    </div>
  );
}

interface MessageViewProps extends ViewChoiceProps {
  readonly step: number;
}

/** Choice for one message, which shows itself when the message has the mouse or the focus. */
export function MessageViewChoice({ step, view, onChoose }: MessageViewProps): ReactNode {
  return (
    <select
      aria-label={`Show step ${step} as`}
      value={view}
      className="rounded bg-surface px-0.5 opacity-0 group-focus-within/card:opacity-100 group-hover/card:opacity-100 hover:bg-hover"
      onChange={(event) => onChoose(MESSAGE_VIEWS.find((each) => each === event.currentTarget.value) ?? 'text')}
    >
      {MESSAGE_VIEWS.map((each) => (
        <option key={each} value={each}>
          {VIEW_LABELS[each]}
        </option>
      ))}
    </select>
  );
}
