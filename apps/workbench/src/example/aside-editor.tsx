import { Link } from '@tanstack/react-router';
import { Plus, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { HostileText } from '../text/hostile-text.tsx';
import { Time } from '../text/time.tsx';
import { Button } from '../ui/button.tsx';
import { TextArea, TextField } from '../ui/fields.tsx';
import { Section } from '../ui/section.tsx';
import { newKey, type ExampleDraft, type ScoreDraft } from './example-draft.ts';

interface AsideProps {
  readonly projectId: string;
  readonly draft: ExampleDraft;
  /** Absent for one that is not saved yet. */
  readonly example: Api.Example | undefined;
  readonly problems: ReadonlyMap<string, string>;
  readonly isReadOnly: boolean;
  readonly onChange: (part: Partial<ExampleDraft>) => void;
}

/** Side of an Example: rubric, tags, and where it is from. */
export function AsideEditor(props: AsideProps): ReactNode {
  const { draft, problems, isReadOnly, onChange, example } = props;
  return (
    <aside aria-label="About the Example" className="relative shrink-0 overflow-auto border-l border-line lg:w-80">
      <Section title="Tags">
        <TextField
          label={<span className="sr-only">Tags</span>}
          value={draft.tags}
          isDisabled={isReadOnly}
          placeholder="refund, split:test"
          hint="Separated by commas. split:train, split:validation or split:test puts it into a split."
          error={problems.get('tags')}
          onChange={(tags) => onChange({ tags })}
        />
      </Section>
      <Section title="Rubric">
        <Rubric {...{ draft, problems, isReadOnly, onChange }} />
      </Section>
      <Section title="Where it is from">
        <Provenance {...props} />
      </Section>
      {example === undefined ? null : (
        <Section title="History">
          <p>
            As version {example.version} made it. Written <Time atMs={example.createdAt} />, changed{' '}
            <Time atMs={example.updatedAt} />.
          </p>
        </Section>
      )}
    </aside>
  );
}

type RubricProps = Pick<AsideProps, 'draft' | 'problems' | 'isReadOnly' | 'onChange'>;

function Rubric({ draft, problems, isReadOnly, onChange }: RubricProps): ReactNode {
  const { criteria, hasList, scoring } = draft;
  const setScore = (at: number, score: ScoreDraft | undefined) =>
    onChange({
      scoring: scoring.flatMap((each, index) => (index !== at ? [each] : score === undefined ? [] : [score])),
    });
  return (
    <div className="flex flex-col gap-2">
      <TextArea
        label={<span className="sr-only">Criteria</span>}
        rows={Math.min(10, Math.max(3, criteria.split('\n').length))}
        value={criteria}
        isDisabled={isReadOnly}
        placeholder="What a good answer has"
        hint={hasList ? 'Each line is a criterion.' : 'One criterion, in several lines.'}
        error={problems.get('rubric.criteria')}
        onChange={(next) => onChange({ criteria: next })}
      />
      {scoring.map((score, at) => (
        <div key={score.key} className="flex items-start gap-1.5">
          <TextField
            className="min-w-0 flex-1"
            label={<span className="sr-only">Label of score {at + 1}</span>}
            value={score.label}
            placeholder="good"
            isDisabled={isReadOnly}
            error={problems.get(`rubric.scoring.${at}.label`)}
            onChange={(label) => setScore(at, { ...score, label })}
          />
          <TextField
            className="w-20"
            label={<span className="sr-only">Number of score {at + 1}</span>}
            value={score.score}
            type="number"
            step="any"
            isDisabled={isReadOnly}
            error={problems.get(`rubric.scoring.${at}.score`)}
            onChange={(next) => setScore(at, { ...score, score: next })}
          />
          {isReadOnly ? null : (
            <Button
              look="quiet"
              className="mt-0.5 px-1.5"
              aria-label={`Remove score ${at + 1}`}
              onPress={() => setScore(at, undefined)}
            >
              <Trash2 aria-hidden className="size-3.5" />
            </Button>
          )}
        </div>
      ))}
      {isReadOnly ? null : (
        <Button
          look="quiet"
          className="h-6 self-start px-1.5 text-xs"
          onPress={() => onChange({ scoring: [...scoring, { key: newKey(), label: '', score: '', description: '' }] })}
        >
          <Plus aria-hidden className="size-3.5" /> Score
        </Button>
      )}
    </div>
  );
}

const KINDS: Readonly<Record<Api.ExampleSource['kind'], string>> = {
  manual: 'Written by hand',
  conversation: 'From a conversation',
  import: 'Imported',
  synthetic: 'Written by a model',
};

function Provenance({ projectId, draft, isReadOnly, problems, onChange }: AsideProps): ReactNode {
  const { source } = draft;
  const { kind, conversationId, externalRef, derivationKey, traceIds = [] } = source;
  return (
    <div className="flex flex-col gap-1.5">
      <p>{KINDS[kind]}</p>
      {conversationId === undefined ? null : (
        <Link
          to="/p/$projectId/conversations/$conversationId"
          params={{ projectId, conversationId }}
          className="truncate font-mono text-xs underline"
        >
          <bdi>{conversationId}</bdi>
        </Link>
      )}
      {kind === 'manual' && !isReadOnly ? (
        <TextField
          label="Reference"
          value={externalRef ?? ''}
          maxLength={2_048}
          hint="A case, a ticket, or whatever names its origin"
          error={problems.get('source.externalRef')}
          onChange={(ref) =>
            onChange({ source: { ...source, externalRef: ref === '' ? undefined : ref } as Api.ExampleSource })
          }
        />
      ) : externalRef === undefined ? null : (
        <p className="truncate">
          <HostileText text={externalRef} />
        </p>
      )}
      {derivationKey === undefined ? null : (
        <p className="truncate font-mono text-xs text-muted" title={derivationKey}>
          <HostileText text={derivationKey} />
        </p>
      )}
      {traceIds.slice(0, 5).map((traceId) => (
        <p key={traceId} className="truncate font-mono text-xs text-muted">
          trace <HostileText text={traceId} />
        </p>
      ))}
    </div>
  );
}
