import { type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { useCommands } from '../commands/use-commands.ts';
import { percent, sentence } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { Badge, type Tone } from '../ui/badges.tsx';
import { notify } from '../ui/notices.tsx';
import { ItemEditor, type Draft } from './item-editor.tsx';
import { ItemFacts } from './item-facts.tsx';
import { Relations } from './item-relations.tsx';
import { AUTHORITY_LABELS } from './labels.ts';
import { QuoteBlock } from './quote-block.tsx';
import type { Review } from './use-review.tsx';

interface PanelProps {
  readonly projectId: string;
  readonly item: Api.KnowledgeItem;
  readonly review: Review;
  readonly isEditing: boolean;
  readonly draft: Draft | undefined;
  readonly onDraft: (draft: Draft | undefined) => void;
  /** Ends the editing, with whether something was saved. */
  readonly onEdited: (isSaved: boolean) => void;
}

const AUTHORITY_TONES: Readonly<Record<Api.KnowledgeItem['authority'], Tone>> = {
  person_written: 'ok',
  project_stated: 'ok',
  user_stated: 'low',
  tool_observed: 'low',
  assistant_inferred: 'medium',
};

/** One item: what it says, the words that say so, and what it replaces. */
export function ItemPanel(props: PanelProps): ReactNode {
  const { projectId, item, isEditing } = props;
  const { id, kind, status, authority, confidence, evidence, title, content } = item;
  useCommands({ 'id.copy': () => copyId(id) });
  return (
    <div className="flex min-h-0 flex-1 overflow-auto max-xl:flex-col xl:overflow-hidden">
      <div
        tabIndex={0}
        role="region"
        aria-label="What it says, and who said so"
        className="min-w-0 flex-1 px-4 py-4 -outline-offset-2 xl:overflow-auto"
      >
        <div className="mx-auto flex max-w-[48rem] flex-col gap-4">
          <div className="flex flex-wrap items-center gap-1.5">
            <Badge tone="info">{sentence(kind)}</Badge>
            <Badge tone={AUTHORITY_TONES[authority]}>{AUTHORITY_LABELS[authority]}</Badge>
            <Badge tone={confidence < 0.5 ? 'medium' : 'info'}>{percent(confidence)} sure</Badge>
            {status === 'archived' ? <Badge tone="info">Archived</Badge> : null}
            {item.reviewedAt === null ? null : <Badge tone="ok">Reviewed</Badge>}
          </div>
          {isEditing ? (
            <ItemEditor key={id} {...props} />
          ) : (
            <div>
              <h2 className="mb-1.5 text-xl font-semibold">
                <HostileText text={title} />
              </h2>
              <div className="hostile text-base">
                <HostileText text={content} />
              </div>
              {props.draft === undefined ? null : (
                <p className="mt-2 text-xs text-medium">There is a draft of an edit, which is not saved.</p>
              )}
            </div>
          )}
          <Relations {...{ projectId, item }} />
          <section className="flex flex-col gap-2.5">
            <h3 className="text-xs font-semibold text-muted">Said in</h3>
            {evidence.length === 0 ? (
              <p className="text-sm text-muted">A person wrote this, without a quote.</p>
            ) : (
              evidence.map((one, at) => (
                <QuoteBlock
                  key={`${one.conversationId} ${one.messageIndex} ${one.startChar}`}
                  evidence={one}
                  number={at + 1}
                  of={evidence.length}
                  projectId={projectId}
                />
              ))
            )}
          </section>
        </div>
      </div>
      <ItemFacts {...{ projectId, item }} />
    </div>
  );
}

function copyId(id: string): void {
  navigator.clipboard.writeText(id).then(
    () => notify('The id is copied'),
    () => notify(id),
  );
}
