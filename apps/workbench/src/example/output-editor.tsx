import { lazy, Suspense, useState, type ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { SelectField, TextArea } from '../ui/fields.tsx';
import {
  OUTPUT_TYPE_IDS,
  OUTPUT_TYPES,
  type ExampleDraft,
  type OutputDraft,
  type OutputType,
} from './example-draft.ts';
import { MessageEditor } from './message-editor.tsx';

const TextDiff = lazy(() => import('../examples/text-diff.tsx'));

interface OutputsProps {
  readonly draft: ExampleDraft;
  readonly problems: ReadonlyMap<string, string>;
  readonly isReadOnly: boolean;
  readonly onChange: (part: Partial<ExampleDraft>) => void;
}

/** Expected and rejected output beside each other, and the words in which they differ. */
export function OutputEditors({ draft, problems, isReadOnly, onChange }: OutputsProps): ReactNode {
  const { expected, rejected } = draft;
  const [isCompared, setCompared] = useState(true);
  const before = shownText(rejected);
  const after = shownText(expected);
  const canCompare = before !== '' && after !== '';
  return (
    <div className="flex flex-col gap-3">
      <div className="grid gap-4 xl:grid-cols-2">
        <OutputEditor
          title="Expected"
          path="expectedOutput"
          output={expected}
          {...{ problems, isReadOnly }}
          onChange={(next) => onChange({ expected: next })}
        />
        <OutputEditor
          title="Rejected"
          path="rejectedOutput"
          output={rejected}
          {...{ problems, isReadOnly }}
          onChange={(next) => onChange({ rejected: next })}
        />
      </div>
      {canCompare ? (
        <section aria-label="Differences of the outputs" className="flex flex-col gap-1.5">
          <div className="flex items-center">
            <h3 className="font-medium">What differs</h3>
            <Button
              look="quiet"
              className="ml-auto h-6 text-xs"
              aria-expanded={isCompared}
              onPress={() => setCompared(!isCompared)}
            >
              {isCompared ? 'Hide' : 'Show'}
            </Button>
          </div>
          {isCompared ? (
            <Suspense fallback={null}>
              <TextDiff before={before} after={after} beforeLabel="Rejected" afterLabel="Expected" />
            </Suspense>
          ) : null}
        </section>
      ) : null}
    </div>
  );
}

function shownText({ type, message, text }: OutputDraft): string {
  if (type === 'none') return '';
  if (type !== 'chat_message') return text;
  const calls = message.toolCalls.map((call) => `${call.name}(${call.arguments})`);
  return [message.content, ...calls].filter((each) => each !== '').join('\n');
}

interface OutputProps {
  readonly title: string;
  readonly path: 'expectedOutput' | 'rejectedOutput';
  readonly output: OutputDraft;
  readonly problems: ReadonlyMap<string, string>;
  readonly isReadOnly: boolean;
  readonly onChange: (output: OutputDraft) => void;
}

const LABELS = { text: 'Text', classification: 'Label', json: 'Value, as JSON' } as const;
const MEMBERS = { text: 'text', classification: 'label', json: 'value' } as const;

function OutputEditor({ title, path, output, problems, isReadOnly, onChange }: OutputProps): ReactNode {
  const { type, message, text } = output;
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-2">
      <div className="flex items-center gap-3">
        <h2 className="text-base font-semibold">{title}</h2>
        <SelectField
          className="ml-auto w-36"
          label={<span className="sr-only">Type of {title.toLowerCase()}</span>}
          value={type}
          isDisabled={isReadOnly}
          options={OUTPUT_TYPE_IDS.map((id) => ({ id, label: OUTPUT_TYPES[id] }))}
          onChange={(next) => onChange(withType(output, next as OutputType))}
        />
      </div>
      {type === 'none' ? (
        <p className="rounded-md border border-dashed border-line-strong px-3 py-4 text-muted">
          {path === 'expectedOutput' ? 'No answer is expected yet.' : 'No answer is rejected.'}
        </p>
      ) : type === 'chat_message' ? (
        <MessageEditor
          path={`${path}.message`}
          label={`the ${title.toLowerCase()} message`}
          {...{ message, problems, isReadOnly }}
          onChange={(next) => onChange({ ...output, message: next })}
        />
      ) : (
        <TextArea
          label={LABELS[type]}
          rows={type === 'classification' ? 1 : 5}
          isMono={type === 'json'}
          value={text}
          isDisabled={isReadOnly}
          error={problems.get(`${path}.${MEMBERS[type]}`)}
          onChange={(next) => onChange({ ...output, text: next })}
        />
      )}
    </section>
  );
}

/** Output of another type, which keeps the words that both have. */
function withType(output: OutputDraft, type: OutputType): OutputDraft {
  const words = output.type === 'chat_message' ? output.message.content : output.text;
  if (type === 'chat_message') return { ...output, type, message: { ...output.message, content: words } };
  return { ...output, type, text: words };
}
