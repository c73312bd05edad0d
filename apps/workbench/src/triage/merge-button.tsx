import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from '../api/client.ts';
import { findingsKey } from '../api/queries.ts';
import { counted } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { SeverityMark } from '../ui/badges.tsx';
import { CommandButton, Keys } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { TextField } from '../ui/fields.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { notify } from '../ui/notices.tsx';
import { useSettled } from '../ui/use-settled.ts';
import { mergedAway, mergeOffers, mergeSummary } from './merge-offers.ts';
import { useMerge } from './use-merge.ts';

interface MergeProps {
  readonly projectId: string;
  readonly findings: readonly Api.Finding[];
  /** Hears into which Finding they were merged. */
  readonly onMerged?: (mergedIds: readonly string[], targetId: string) => void;
}

/** Button that merges one Finding or many into another one. */
export function MergeButton(props: MergeProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <CommandButton command="finding.merge" isDisabled={props.findings.length === 0} onPress={() => setOpen(true)}>
        Merge <Keys command="finding.merge" />
      </CommandButton>
      {isOpen ? <MergeDialog {...props} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

const SHOWN = 8;
const TYPED_MS = 250;

/** Findings with the words in their titles; without words, those of the same category, which are most alike. */
const alikeQuery = (projectId: string, q: string, categoryKey: string | undefined) => ({
  queryKey: [...findingsKey(projectId), 'alike', q, categoryKey],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const alike = q === '' ? (categoryKey === undefined ? {} : { categoryKey }) : { q };
    return (await clew.findings.list({ ...alike, limit: SHOWN + 2, project: projectId, signal })).data;
  },
  placeholderData: keepPreviousData,
});

function MergeDialog({
  projectId,
  findings,
  onMerged,
  onClose,
}: MergeProps & { readonly onClose: () => void }): ReactNode {
  const [typed, setTyped] = useState('');
  const [targetId, setTargetId] = useState<string>();
  const q = useSettled(typed.trim(), TYPED_MS);
  const found = useQuery(alikeQuery(projectId, q, findings[0]?.metadata.categoryKey));
  const offers = mergeOffers(findings, (found.data ?? []).slice(0, SHOWN + findings.length));
  const target = offers.find(({ id }) => id === targetId);
  const going = target === undefined ? findings : mergedAway(findings, target.id);
  const merge = useMerge(projectId, ({ mergedIds, refused, error }) => {
    onClose();
    const text = mergeSummary(mergedIds.length, refused);
    notify(error === undefined ? text : `${text}: ${error.message}`, { isProblem: refused > 0 });
    if (target !== undefined && mergedIds.length > 0) onMerged?.(mergedIds, target.id);
  });
  return (
    <FormDialog
      title={findings.length > 1 ? `Merge ${findings.length} Findings` : 'Merge the Finding'}
      submitLabel="Merge"
      isWide
      onClose={onClose}
      isPending={merge.isPending}
      isIncomplete={target === undefined || going.length === 0}
      error={merge.error}
      onSubmit={() => {
        if (target !== undefined) merge.mutate({ findingIds: going.map(({ id }) => id), into: target.id });
      }}
    >
      <TextField
        autoFocus
        label="Find the one that stays by its title"
        value={typed}
        onChange={setTyped}
        maxLength={200}
      />
      <ErrorNote error={found.error} />
      <Offers {...{ offers, targetId }} onChoose={setTargetId} isRead={found.data !== undefined} />
      <p className="text-muted">
        {counted(
          going.reduce((sum, { occurrenceCount }) => sum + occurrenceCount, 0),
          'conversation',
        )}
        , and those to come, count for the one that stays.{' '}
        {going.length > 1 ? 'The others leave' : 'The other one leaves'} the list, and can be taken out again.
      </p>
    </FormDialog>
  );
}

interface OffersProps {
  readonly offers: readonly Api.Finding[];
  readonly targetId: string | undefined;
  readonly onChoose: (id: string) => void;
  readonly isRead: boolean;
}

function Offers({ offers, targetId, onChoose, isRead }: OffersProps): ReactNode {
  const name = useId();
  if (offers.length === 0) {
    return <p className="py-2 text-muted">{isRead ? 'No other Finding has these words in its title.' : ' '}</p>;
  }
  return (
    <fieldset className="max-h-72 min-w-0 overflow-auto rounded-md border border-line">
      <legend className="sr-only">The one that stays</legend>
      {offers.map(({ id, title, severity, occurrenceCount }) => (
        <label
          key={id}
          className={cx(
            'flex items-center gap-2.5 border-b border-line px-2.5 py-1.5 last:border-b-0 has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-focus',
            id === targetId ? 'bg-chosen' : 'hover:bg-hover',
          )}
        >
          <input
            type="radio"
            name={name}
            checked={id === targetId}
            className="size-3.5 shrink-0 accent-[var(--accent)]"
            onChange={() => onChoose(id)}
          />
          <span className="w-20 shrink-0">
            <SeverityMark severity={severity} />
          </span>
          <HostileText className="min-w-0 flex-1 truncate" text={title} />
          <span className="text-xs text-muted tabular-nums">{occurrenceCount}×</span>
        </label>
      ))}
    </fieldset>
  );
}
