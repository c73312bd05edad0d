import { useRef, useState, type ReactNode } from 'react';
import { Button } from '../ui/button.tsx';

interface ComposerProps {
  readonly isBusy: boolean;
  readonly isDisabled: boolean;
  readonly onSend: (said: string) => void;
  readonly onStop: () => void;
}

const MAX_SAID = 100_000;

/** Field for what is said next. */
export function Composer({ isBusy, isDisabled, onSend, onStop }: ComposerProps): ReactNode {
  const [said, setSaid] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  const send = () => {
    if (isBusy || isDisabled || said.trim() === '') return;
    onSend(said.trim());
    setSaid('');
    // The button that was pressed goes; its key must not be let go on the one that stops the answer.
    field.current?.focus();
  };
  const stop = () => {
    onStop();
    field.current?.focus();
  };
  return (
    <form
      aria-label="Say something"
      className="flex items-end gap-2 border-t border-line bg-surface p-3"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        aria-label="Message"
        placeholder={isDisabled ? 'The model does not run' : 'Say something'}
        rows={2}
        maxLength={MAX_SAID}
        autoFocus
        ref={field}
        value={said}
        className="max-h-60 min-h-14 flex-1 resize-y rounded-md border border-line-strong bg-canvas px-3 py-2 text-base placeholder:text-muted"
        onChange={(event) => setSaid(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') stop();
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          send();
        }}
      />
      {isBusy ? (
        <Button key="stop" look="danger" onPress={stop}>
          Stop <kbd>Esc</kbd>
        </Button>
      ) : (
        <Button key="send" type="submit" look="main" isDisabled={isDisabled || said.trim() === ''}>
          Send
        </Button>
      )}
    </form>
  );
}
