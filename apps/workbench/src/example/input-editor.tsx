import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { INPUT_TYPE_IDS, INPUT_TYPES, type InputType } from '../imports/import-fields.ts';
import { Button } from '../ui/button.tsx';
import { SelectField, TextArea } from '../ui/fields.tsx';
import { newMessage, type ExampleDraft, type MessageDraft } from './example-draft.ts';
import { MessageEditor } from './message-editor.tsx';

type InputDraft = ExampleDraft['input'];

interface InputProps {
  readonly input: InputDraft;
  readonly problems: ReadonlyMap<string, string>;
  readonly isReadOnly: boolean;
  readonly onChange: (input: InputDraft) => void;
}

/** Input of an Example, by its type. */
export function InputEditor(props: InputProps): ReactNode {
  const { input, isReadOnly, onChange } = props;
  return (
    <section aria-labelledby="input-title" className="flex flex-col gap-2">
      <div className="flex items-center gap-3">
        <h2 id="input-title" className="text-base font-semibold">
          Input
        </h2>
        <SelectField
          className="ml-auto w-36"
          label={<span className="sr-only">Type of the input</span>}
          value={input.type}
          isDisabled={isReadOnly}
          options={INPUT_TYPE_IDS.map((id) => ({ id, label: INPUT_TYPES[id].label }))}
          onChange={(type) => onChange(withType(input, type as InputType))}
        />
      </div>
      {input.type === 'chat' ? <Messages {...props} /> : <Texts {...props} />}
    </section>
  );
}

/** Input of another type, which keeps the words that both have. */
function withType(input: InputDraft, type: InputType): InputDraft {
  const last = input.messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const main = input.type === 'chat' ? last : input.main;
  if (type !== 'chat') return { ...input, type, main: type === 'json' ? JSON.stringify(main) : main };
  return { ...input, type, messages: input.messages.length > 0 ? input.messages : [newMessage('user', main)] };
}

const MAIN_LABELS = { prompt: 'Prompt', instruction: 'Instruction', text: 'Text', json: 'Value, as JSON' } as const;
const MAIN_PATHS = {
  prompt: 'input.prompt',
  instruction: 'input.instruction',
  text: 'input.text',
  json: 'input.value',
} as const;
const SIDE_LABELS = { prompt: 'System text', instruction: 'Context' } as const;

function Texts({ input, problems, isReadOnly, onChange }: InputProps): ReactNode {
  const { type, main, side } = input;
  if (type === 'chat') return null;
  const hasSide = type === 'prompt' || type === 'instruction';
  return (
    <>
      {hasSide && side !== undefined ? (
        <TextArea
          label={SIDE_LABELS[type]}
          rows={3}
          value={side}
          isDisabled={isReadOnly}
          onChange={(next) => onChange({ ...input, side: next })}
        />
      ) : null}
      <TextArea
        label={MAIN_LABELS[type]}
        rows={Math.min(16, Math.max(4, main.split('\n').length))}
        isMono={type === 'json'}
        value={main}
        isDisabled={isReadOnly}
        error={problems.get(MAIN_PATHS[type])}
        onChange={(next) => onChange({ ...input, main: next })}
      />
      {hasSide && !isReadOnly ? (
        <Button
          look="quiet"
          className="self-start"
          onPress={() => onChange({ ...input, side: side === undefined ? '' : undefined })}
        >
          {side === undefined
            ? `Add a ${SIDE_LABELS[type].toLowerCase()}`
            : `Without ${SIDE_LABELS[type].toLowerCase()}`}
        </Button>
      ) : null}
    </>
  );
}

function Messages({ input, problems, isReadOnly, onChange }: InputProps): ReactNode {
  const { messages } = input;
  const set = (next: readonly MessageDraft[]) => onChange({ ...input, messages: next });
  const move = (at: number, by: 1 | -1) => {
    const next = [...messages];
    const [moved] = next.splice(at, 1);
    if (moved !== undefined) next.splice(at + by, 0, moved);
    set(next);
  };
  const hasTools = input.tools !== '';
  return (
    <>
      {problems.has('input.messages') ? (
        <p className="text-xs text-critical">{problems.get('input.messages')}</p>
      ) : null}
      {messages.map((message, at) => (
        <MessageEditor
          key={message.key}
          path={`input.messages.${at}`}
          label={`message ${at + 1}`}
          {...{ message, problems, isReadOnly }}
          onChange={(next) => set(messages.map((each, index) => (index === at ? next : each)))}
          place={{
            isFirst: at === 0,
            isLast: at === messages.length - 1,
            onMove: (by) => move(at, by),
            onAdd: () => set([...messages.slice(0, at + 1), newMessage(after(message)), ...messages.slice(at + 1)]),
            onRemove: () => set(messages.filter((_, index) => index !== at)),
          }}
        />
      ))}
      {isReadOnly ? null : (
        <div className="flex gap-1.5">
          <Button look="quiet" onPress={() => set([...messages, newMessage(after(messages.at(-1)))])}>
            <Plus aria-hidden className="size-3.5" /> Message
          </Button>
          {hasTools ? null : (
            <Button look="quiet" onPress={() => onChange({ ...input, tools: '[]' })}>
              <Plus aria-hidden className="size-3.5" /> Tools
            </Button>
          )}
        </div>
      )}
      {hasTools ? (
        <details className="rounded-md border border-line bg-surface px-3 py-2" open={problems.has('input.tools')}>
          <summary className="text-xs font-semibold">Tools that were offered</summary>
          <TextArea
            className="mt-2"
            label={<span className="sr-only">Tools, as JSON</span>}
            isMono
            rows={Math.min(16, input.tools.split('\n').length)}
            value={input.tools}
            isDisabled={isReadOnly}
            error={problems.get('input.tools')}
            onChange={(tools) => onChange({ ...input, tools })}
          />
        </details>
      ) : null}
    </>
  );
}

/** Role that speaks after a message. */
function after(message: MessageDraft | undefined): MessageDraft['role'] {
  if (message?.role === 'assistant') return message.toolCalls.length > 0 ? 'tool' : 'user';
  return message === undefined || message.role === 'system' || message.role === 'developer' ? 'user' : 'assistant';
}
