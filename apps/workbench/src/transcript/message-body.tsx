import { Wrench } from 'lucide-react';
import { lazy, Suspense, useContext, useMemo, useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { count } from '../text/format.ts';
import { VisibleText } from '../text/hostile-text.tsx';
import type { QuoteField } from '../text/marks.ts';
import { Button } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { rangesIn, type Evidence } from './evidence.ts';
import { rangesOf, type Match } from './find.ts';
import { MarkedText, type MarkedTextProps } from './marked-text.tsx';
import { argumentsText, errorText, type ShownField } from './shown-fields.ts';
import { TranscriptContext } from './transcript-context.ts';

const Markdown = lazy(() => import('./markdown.tsx'));

/** Characters beyond which a text is cut until somebody asks for all of it. */
const LONG = 4_000;

interface BodyProps {
  readonly message: Api.ConversationMessage;
  readonly evidence: readonly Evidence[];
  readonly currentId: string | undefined;
  /** Whether something in it is marked, so that nothing of it is hidden. */
  readonly isMarked: boolean;
  readonly isMarkdown: boolean;
}

/** Words of a message, what it calls, and how it failed. */
export function MessageBody({ message, evidence, currentId, isMarked, isMarkdown }: BodyProps): ReactNode {
  const { content, reasoning, toolCalls = [], attachments = [], error, textExpired, length, role } = message;
  const { match } = useContext(TranscriptContext);
  const isFoundIn = (name: ShownField['field']) => match?.index === message.index && match.field === name;
  const field = (text: string, name: QuoteField) => (
    <LongText text={text} isWhole={isMarked || isFoundIn(name)}>
      {(shown) =>
        isMarkdown && role !== 'tool' ? (
          <Suspense fallback={<VisibleText text={shown} />}>
            <Markdown text={shown} />
          </Suspense>
        ) : (
          <FoundText
            place={{ index: message.index, field: name, part: 0 }}
            text={shown}
            ranges={rangesIn(shown, message.index, name, evidence)}
            currentId={currentId}
          />
        )
      }
    </LongText>
  );
  const isFolded = (role === 'system' || role === 'tool') && content.length > 280 && !isMarked;
  return (
    <div className="flex flex-col gap-2 px-3 pt-1.5 pb-3 text-base">
      {textExpired === undefined ? null : (
        <p className="text-sm text-muted italic">
          {length === undefined
            ? 'The words have expired or were never stored.'
            : `The words were never stored (${count(length)} characters).`}
        </p>
      )}
      {reasoning === undefined || reasoning === '' ? null : (
        <Folded title="Reasoning" isOpen={isMarked || isFoundIn('reasoning')}>
          {field(reasoning, 'reasoning')}
        </Folded>
      )}
      {content === '' ? null : isFolded ? (
        <Folded
          title={`${role === 'tool' ? 'Result' : 'Prompt'}, ${count(content.length)} characters`}
          isOpen={isFoundIn('content')}
        >
          {field(content, 'content')}
        </Folded>
      ) : (
        <div className={cx('hostile', role === 'tool' && 'font-mono text-xs')}>{field(content, 'content')}</div>
      )}
      {toolCalls.map((call, at) => (
        <CallView
          key={call.id ?? at}
          {...{ call, evidence, currentId, isMarked }}
          messageIndex={message.index}
          part={at}
        />
      ))}
      {attachments.length === 0 ? null : (
        <p className="text-xs text-muted">{attachments.length} attachments, which are not shown here</p>
      )}
      {error === undefined ? null : (
        <p className="rounded bg-critical-soft px-2 py-1.5 font-mono text-xs text-critical">
          <FoundText
            place={{ index: message.index, field: 'error', part: 0 }}
            text={errorText(error)}
            ranges={[]}
            currentId={undefined}
          />
        </p>
      )}
    </div>
  );
}

/** Message as the API answers it. */
export function MessageJson({ message }: Pick<BodyProps, 'message'>): ReactNode {
  return (
    <div className="hostile px-3 pt-1.5 pb-3 font-mono text-xs">
      <LongText text={JSON.stringify(message, null, 2)} isWhole={false}>
        {(shown) => <VisibleText text={shown} />}
      </LongText>
    </div>
  );
}

interface CallProps {
  readonly call: Api.ToolCall;
  readonly part: number;
  readonly messageIndex: number;
  readonly evidence: readonly Evidence[];
  readonly currentId: string | undefined;
  readonly isMarked: boolean;
}

/** Tool call: the name of the tool, and its arguments. */
function CallView(props: CallProps): ReactNode {
  const { call, part, messageIndex } = props;
  return (
    <div className="rounded border border-line bg-sunken px-2.5 py-2 font-mono text-xs">
      <div className="mb-1 flex items-center gap-1.5 font-semibold">
        <Wrench aria-hidden className="size-3" />
        <bdi>
          <FoundText
            place={{ index: messageIndex, field: 'tool', part }}
            text={call.name}
            ranges={[]}
            currentId={undefined}
          />
        </bdi>
      </div>
      <div className="hostile text-muted">
        <Arguments {...props} />
      </div>
    </div>
  );
}

function Arguments({ call, part, messageIndex, evidence, currentId, isMarked }: CallProps): ReactNode {
  const { match } = useContext(TranscriptContext);
  const isFound = match?.index === messageIndex && match.field === 'arguments' && match.part === part;
  return (
    <LongText text={argumentsText(call, messageIndex, evidence)} isWhole={isMarked || isFound}>
      {(shown) => (
        <FoundText
          place={{ index: messageIndex, field: 'arguments', part }}
          text={shown}
          ranges={rangesIn(shown, messageIndex, 'arguments', evidence)}
          currentId={currentId}
        />
      )}
    </LongText>
  );
}

interface FoundTextProps extends MarkedTextProps {
  readonly place: Pick<Match, 'index' | 'field' | 'part'>;
}

/** Text with its marks, and with the words that somebody looks for. */
function FoundText({ place, ...marked }: FoundTextProps): ReactNode {
  const { words, match } = useContext(TranscriptContext);
  const { text } = marked;
  const found = useMemo(() => (words === '' ? [] : rangesOf(text, words)), [text, words]);
  const isHere =
    match !== undefined && match.index === place.index && match.field === place.field && match.part === place.part;
  return <MarkedText {...marked} found={found} foundAt={isHere ? match.start : undefined} />;
}

interface FoldedProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly children: ReactNode;
}

function Folded({ title, isOpen, children }: FoldedProps): ReactNode {
  return (
    <details open={isOpen} className="rounded border border-line bg-sunken px-2.5 py-1.5 text-sm">
      <summary className="text-xs text-muted">{title}</summary>
      <div className="hostile mt-2 text-sm">{children}</div>
    </details>
  );
}

interface LongTextProps {
  readonly text: string;
  /** Whether nothing is cut, since something in it is marked. */
  readonly isWhole: boolean;
  readonly children: (shown: string) => ReactNode;
}

function LongText({ text, isWhole, children }: LongTextProps): ReactNode {
  const [isAll, setAll] = useState(false);
  if (isAll || isWhole || text.length <= LONG) return children(text);
  return (
    <>
      {children(`${text.slice(0, LONG)}…`)}
      <Button className="mt-2 block font-sans" onPress={() => setAll(true)}>
        Show all {count(text.length)} characters
      </Button>
    </>
  );
}
