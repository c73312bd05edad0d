import { Archive, Check, CircleAlert, Pencil, SkipForward, Tag } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { percent, sentence } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';
import type { GridColumn } from '../ui/grid.tsx';
import { DECISION_LABELS, type Decision, type Decisions } from './queue.ts';

const ICONS: Readonly<Record<Decision, typeof Check>> = {
  accepted: Check,
  archived: Archive,
  edited: Pencil,
  kind: Tag,
  skipped: SkipForward,
};

/** Column of the queue: what an item says, and what became of it. */
export function itemColumns(decisions: Decisions): GridColumn<Api.KnowledgeItem>[] {
  return [
    {
      id: 'item',
      header: 'Item',
      track: 'minmax(0, 1fr)',
      cell: (item) => <Row item={item} decision={decisions.get(item.id)} />,
    },
  ];
}

function Row({ item, decision }: { readonly item: Api.KnowledgeItem; readonly decision: Decision | undefined }) {
  const { title, kind, confidence, subject, status, possiblyOutdatedBy, reviewedAt } = item;
  return (
    <span className="flex flex-col">
      <span className="flex items-center gap-1.5">
        <HostileText className={`truncate font-medium ${decision === undefined ? '' : 'text-muted'}`} text={title} />
        {decision === undefined ? null : <Mark decision={decision} />}
      </span>
      <span className="flex items-center gap-1.5 truncate text-xs text-muted">
        {possiblyOutdatedBy === null ? null : (
          <CircleAlert role="img" aria-label="May be out of date" className="size-3 shrink-0 text-medium" />
        )}
        <span className="truncate">
          {sentence(kind)} · {percent(confidence)} · <HostileText text={subject.name} />
          {status === 'archived' ? ' · archived' : ''}
          {reviewedAt !== null && decision === undefined ? ' · reviewed' : ''}
        </span>
      </span>
    </span>
  );
}

function Mark({ decision }: { readonly decision: Decision }): ReactNode {
  const Icon = ICONS[decision];
  return (
    <span className="ml-auto inline-flex shrink-0 items-center gap-1 text-xs text-muted">
      <Icon aria-hidden className={`size-3.5 ${decision === 'accepted' ? 'text-ok' : ''}`} />
      {DECISION_LABELS[decision]}
    </span>
  );
}
