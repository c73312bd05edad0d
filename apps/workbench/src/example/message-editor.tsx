import { ArrowDown, ArrowUp, ChevronRight, Plus, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { HostileText } from '../text/hostile-text.tsx';
import { Button } from '../ui/button.tsx';
import { TextArea, TextField } from '../ui/fields.tsx';
import { newCall, ROLES, type CallDraft, type MessageDraft, type Role } from './example-draft.ts';

interface EditorProps {
  readonly path: string;
  readonly label: string;
  readonly message: MessageDraft;
  readonly problems: ReadonlyMap<string, string>;
  readonly isReadOnly: boolean;
  readonly onChange: (message: MessageDraft) => void;
  /** Absent for an output, which is one message of the assistant. */
  readonly place?: {
    readonly isFirst: boolean;
    readonly isLast: boolean;
    readonly onMove: (by: 1 | -1) => void;
    readonly onAdd: () => void;
    readonly onRemove: () => void;
  };
}

const LONG = 600;
const FOLDED = 160;

/** One message of an Example: its role, words and tool calls. */
export function MessageEditor(props: EditorProps): ReactNode {
  const { path, label, message, problems, isReadOnly, onChange, place } = props;
  const hasProblem = [...problems.keys()].some((each) => each === path || each.startsWith(`${path}.`));
  const [isFolded, setFolded] = useState(message.role === 'system' && message.content.length > LONG);
  const isOpen = !isFolded || hasProblem;
  return (
    <section aria-label={label} className="rounded-md border border-line bg-surface">
      <header className="flex items-center gap-1.5 px-2 py-1 text-xs">
        <Button
          look="quiet"
          className="h-6 px-1"
          aria-expanded={isOpen}
          aria-label={isOpen ? `Fold ${label}` : `Unfold ${label}`}
          onPress={() => setFolded(!isFolded)}
        >
          <ChevronRight aria-hidden className={`size-3.5 ${isOpen ? 'rotate-90' : ''}`} />
        </Button>
        {place === undefined || isReadOnly ? (
          <span className="font-semibold capitalize">{message.role}</span>
        ) : (
          <HeadFields {...{ label, message, onChange }} />
        )}
        {isOpen ? null : (
          <span className="min-w-0 flex-1 truncate text-muted">
            <HostileText text={message.content.slice(0, FOLDED)} />
          </span>
        )}
        <span className="ml-auto" />
        {place === undefined || isReadOnly ? null : <PlaceButtons label={label} place={place} />}
      </header>
      {isOpen ? <MessageFields {...props} onChange={onChange} /> : null}
    </section>
  );
}

function PlaceButtons({ label, place }: Required<Pick<EditorProps, 'label' | 'place'>>): ReactNode {
  const { isFirst, isLast, onMove, onAdd, onRemove } = place;
  const look = { look: 'quiet', className: 'h-6 px-1' } as const;
  return (
    <>
      <Button {...look} aria-label={`Move ${label} up`} isDisabled={isFirst} onPress={() => onMove(-1)}>
        <ArrowUp aria-hidden className="size-3.5" />
      </Button>
      <Button {...look} aria-label={`Move ${label} down`} isDisabled={isLast} onPress={() => onMove(1)}>
        <ArrowDown aria-hidden className="size-3.5" />
      </Button>
      <Button {...look} aria-label={`Add a message after ${label}`} onPress={onAdd}>
        <Plus aria-hidden className="size-3.5" />
      </Button>
      <Button {...look} aria-label={`Remove ${label}`} onPress={onRemove}>
        <Trash2 aria-hidden className="size-3.5" />
      </Button>
    </>
  );
}

const SMALL = 'h-6 rounded border border-transparent bg-transparent px-1 hover:border-line-strong';

/** Role, name and answered call of a message, in one line. */
function HeadFields({ label, message, onChange }: Pick<EditorProps, 'label' | 'message' | 'onChange'>): ReactNode {
  const { role, name, toolCallId } = message;
  return (
    <>
      <select
        aria-label={`Role of ${label}`}
        value={role}
        className={`${SMALL} font-semibold capitalize`}
        onChange={(event) => onChange({ ...message, role: event.currentTarget.value as Role })}
      >
        {ROLES.map((id) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </select>
      <input
        aria-label={`Name in ${label}`}
        value={name}
        maxLength={512}
        placeholder={role === 'tool' ? 'tool' : 'name'}
        className={`${SMALL} w-36 min-w-0 font-mono placeholder:text-muted`}
        onChange={(event) => onChange({ ...message, name: event.currentTarget.value })}
      />
      {role === 'tool' || toolCallId !== '' ? (
        <input
          aria-label={`Call that ${label} answers`}
          value={toolCallId}
          maxLength={512}
          placeholder="answers the call"
          className={`${SMALL} w-36 min-w-0 font-mono placeholder:text-muted`}
          onChange={(event) => onChange({ ...message, toolCallId: event.currentTarget.value })}
        />
      ) : null}
    </>
  );
}

function MessageFields({ path, label, message, problems, isReadOnly, onChange }: EditorProps): ReactNode {
  const { role, content, hasParts, toolCalls } = message;
  const change = (part: Partial<MessageDraft>) => onChange({ ...message, ...part });
  const setCall = (at: number, call: CallDraft | undefined) =>
    change({
      toolCalls: toolCalls.flatMap((each, index) => (index !== at ? [each] : call === undefined ? [] : [call])),
    });
  return (
    <div className="flex flex-col gap-2 px-3 pb-3">
      <TextArea
        label={<span className="sr-only">Words of {label}</span>}
        rows={Math.min(12, Math.max(2, content.split('\n').length + Math.floor(content.length / 110)))}
        isMono={hasParts || role === 'tool'}
        isDisabled={isReadOnly}
        value={content}
        hint={hasParts ? 'A list of parts, as JSON' : undefined}
        error={problems.get(`${path}.content`)}
        onChange={(next) => change({ content: next })}
      />
      {toolCalls.map((call, at) => (
        <CallEditor
          key={call.key}
          path={`${path}.toolCalls.${at}`}
          label={`Tool call ${at + 1} of ${label}`}
          {...{ call, problems, isReadOnly }}
          onChange={(next) => setCall(at, next)}
        />
      ))}
      {role === 'assistant' && !isReadOnly ? (
        <Button
          look="quiet"
          className="h-6 self-start px-1.5 text-xs"
          onPress={() => change({ toolCalls: [...toolCalls, newCall()] })}
        >
          <Plus aria-hidden className="size-3.5" /> Tool call
        </Button>
      ) : null}
    </div>
  );
}

interface CallProps {
  readonly path: string;
  readonly label: string;
  readonly call: CallDraft;
  readonly problems: ReadonlyMap<string, string>;
  readonly isReadOnly: boolean;
  readonly onChange: (call: CallDraft | undefined) => void;
}

function CallEditor({ path, label, call, problems, isReadOnly, onChange }: CallProps): ReactNode {
  return (
    <fieldset className="flex flex-col gap-2 rounded border border-line bg-sunken px-2.5 pb-2">
      <legend className="px-1 text-xs text-muted">Tool call</legend>
      <div className="flex items-end gap-2">
        <TextField
          className="min-w-0 flex-1"
          label="Tool"
          isMono
          value={call.name}
          maxLength={512}
          isDisabled={isReadOnly}
          error={problems.get(`${path}.name`)}
          onChange={(name) => onChange({ ...call, name })}
        />
        <TextField
          className="min-w-0 flex-1"
          label="Id"
          isMono
          value={call.id}
          maxLength={512}
          isDisabled={isReadOnly}
          onChange={(id) => onChange({ ...call, id })}
        />
        {isReadOnly ? null : (
          <Button look="quiet" className="px-1.5" aria-label={`Remove ${label}`} onPress={() => onChange(undefined)}>
            <Trash2 aria-hidden className="size-3.5" />
          </Button>
        )}
      </div>
      <TextArea
        label={call.isText ? 'Arguments, as text' : 'Arguments, as JSON'}
        isMono
        rows={Math.min(10, Math.max(1, call.arguments.split('\n').length))}
        value={call.arguments}
        isDisabled={isReadOnly}
        error={problems.get(`${path}.arguments`)}
        onChange={(next) => onChange({ ...call, arguments: next })}
      />
    </fieldset>
  );
}
