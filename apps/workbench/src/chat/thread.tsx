import { Bot, User } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { HostileText } from '../text/hostile-text.tsx';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { FirstUse } from '../ui/states.tsx';
import { figuresOf, messagesFor, type Answer, type Answered, type ChatFields, type Turn } from './chat.ts';
import { SaveDialog } from './save-dialog.tsx';
import type { Chat } from './use-chat.ts';

interface ThreadProps {
  readonly projectId: string;
  readonly chat: Chat;
  readonly fields: ChatFields;
  readonly models: readonly string[];
}

/** Conversation so far; answers of two models stand side by side. */
export function Thread({ projectId, chat, fields, models }: ThreadProps): ReactNode {
  const scroller = useRef<HTMLDivElement>(null);
  const [saved, setSaved] = useState<Answered>();
  const { turns } = chat;
  const latest = Object.values(turns.at(-1)?.answers ?? {})
    .map(({ text }) => text.length)
    .join(' ');
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const isNearEnd = element.scrollHeight - element.scrollTop - element.clientHeight < 200;
    if (isNearEnd) element.scrollTop = element.scrollHeight;
  }, [latest, turns.length]);
  return (
    <div
      ref={scroller}
      role="log"
      tabIndex={0}
      aria-label="Conversation"
      className="min-h-0 flex-1 overflow-auto px-4 py-4 -outline-offset-2"
    >
      {turns.length === 0 ? (
        <FirstUse title="Say something">
          The answer is streamed, with its speed. A good one can be kept as an Example in a Dataset.
        </FirstUse>
      ) : (
        <ol className="mx-auto flex max-w-5xl flex-col gap-4">
          {turns.map((turn, at) => (
            <li key={turn.id} className="flex flex-col gap-2.5">
              <p className="flex gap-2.5">
                <User role="img" aria-label="You" className="mt-0.5 size-4 shrink-0 text-muted" />
                <span className="hostile text-base font-medium">{turn.said}</span>
              </p>
              <Answers
                {...{ turn, models }}
                onSave={(model) => {
                  const messages = messagesFor(fields.system, turns.slice(0, at + 1), model);
                  const others = Object.entries(turn.answers).filter(([name]) => name !== model);
                  setSaved({
                    model,
                    messages,
                    expected: turn.answers[model]?.text ?? '',
                    rejected: others[0]?.[1].text,
                  });
                }}
              />
            </li>
          ))}
        </ol>
      )}
      {saved === undefined ? null : (
        <SaveDialog projectId={projectId} saved={saved} onClose={() => setSaved(undefined)} />
      )}
    </div>
  );
}

interface AnswersProps {
  readonly turn: Turn;
  readonly models: readonly string[];
  readonly onSave: (model: string) => void;
}

function Answers({ turn, models, onSave }: AnswersProps): ReactNode {
  const names = Object.keys(turn.answers);
  const isMany = names.length > 1;
  return (
    <div className={isMany ? 'grid gap-3 md:grid-cols-2' : ''}>
      {names.map((model) => {
        const answer = turn.answers[model];
        return answer === undefined ? null : (
          <AnswerCard
            key={model}
            {...{ model, answer }}
            isNamed={isMany || !models.includes(model)}
            onSave={() => onSave(model)}
          />
        );
      })}
    </div>
  );
}

interface CardProps {
  readonly model: string;
  readonly answer: Answer;
  readonly isNamed: boolean;
  readonly onSave: () => void;
}

function AnswerCard({ model, answer, isNamed, onSave }: CardProps): ReactNode {
  const { text, state, error } = answer;
  const isStreaming = state === 'streaming';
  return (
    <article
      aria-label={`Answer of ${model}`}
      aria-busy={isStreaming}
      className="rounded-md border border-line bg-surface"
    >
      <div className="flex gap-2.5 px-3 py-2.5">
        <Bot aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
        <div className="min-w-0 flex-1">
          {isNamed ? <HostileText className="mb-1 block font-mono text-xs text-muted" text={model} /> : null}
          <div className="hostile text-base">
            <HostileText text={text} />
            {isStreaming ? (
              <span aria-hidden className="ml-0.5 inline-block h-4 w-1.5 translate-y-0.5 animate-pulse bg-accent" />
            ) : null}
          </div>
          {error === undefined ? null : (
            <p role="alert" className="mt-1 text-critical">
              <HostileText text={error} />
            </p>
          )}
        </div>
      </div>
      <footer className="flex min-h-8 items-center gap-2 border-t border-line px-3 py-1 text-xs text-muted tabular-nums">
        <span>{figuresOf(answer, Date.now())}</span>
        {state === 'stopped' ? <span>stopped</span> : null}
        {isStreaming || text === '' ? null : (
          <span className="ml-auto flex gap-1">
            <CopyButton text={text} />
            <Button look="quiet" className="h-6 px-1.5 text-xs" onPress={onSave}>
              Save as Example
            </Button>
          </span>
        )}
      </footer>
    </article>
  );
}
