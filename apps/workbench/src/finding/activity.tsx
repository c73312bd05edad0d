import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from '../api/client.ts';
import { activityQuery } from '../api/queries.ts';
import { useNames } from '../api/use-names.ts';
import { useCommands } from '../commands/use-commands.ts';
import { words } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { Time } from '../text/time.tsx';
import { Button } from '../ui/button.tsx';
import { notifyError } from '../ui/notices.tsx';
import { Problem, Skeleton } from '../ui/states.tsx';

interface ActivityProps {
  readonly projectId: string;
  readonly findingId: string;
  readonly mayWrite: boolean;
}

const MAX_COMMENT = 10_000;

/** Comments and changes of a Finding, newest first. */
export function Activity({ projectId, findingId, mayWrite }: ActivityProps): ReactNode {
  const list = useInfiniteQuery(activityQuery(projectId, findingId));
  const nameOf = useNames(projectId);
  const entries = list.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <>
      {mayWrite ? <CommentForm projectId={projectId} findingId={findingId} /> : null}
      {list.error === null ? null : <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending ? <Skeleton label="The activity is being read" lines={3} /> : null}
      {!list.isPending && entries.length === 0 ? <p className="text-muted">Nothing was done or said yet.</p> : null}
      <ol className="flex flex-col gap-2.5">
        {entries.map((entry) => (
          <li key={entry.id}>
            <p className="text-xs text-muted">
              <HostileText className="font-medium text-ink" text={actorName(entry, nameOf)} />{' '}
              {entry.kind === 'comment' ? 'said' : <HostileText text={changeText(entry, nameOf)} />} ·{' '}
              <Time atMs={entry.createdAt} />
            </p>
            {entry.kind === 'comment' && entry.text !== null ? (
              <div className="hostile mt-0.5 rounded-md border border-line bg-surface px-2.5 py-1.5">
                <HostileText text={entry.text} />
              </div>
            ) : null}
          </li>
        ))}
      </ol>
      {list.hasNextPage ? (
        <Button look="quiet" onPress={() => void list.fetchNextPage()}>
          Show more
        </Button>
      ) : null}
    </>
  );
}

function actorName({ actor }: Api.FindingActivity, nameOf: (id: string) => string): string {
  if (actor.kind === 'service') return 'Clew';
  return actor.kind === 'key' ? `A key (${actor.id})` : nameOf(actor.id);
}

function changeText({ kind, from, to }: Api.FindingActivity, nameOf: (id: string) => string): string {
  if (kind === 'assignee') return to === null ? 'assigned it to nobody' : `assigned it to ${nameOf(to)}`;
  if (kind === 'snooze') return to === null ? 'woke it' : 'snoozed it';
  if (kind === 'merge') return 'merged it';
  if (kind === 'unmerge') return 'took it out of a merged one';
  if (kind === 'split') return 'split it';
  if (kind === 'work_item') return from === null ? 'handed it to an issue tracker' : 'changed the work item';
  return `set ${kind} to ${words(to ?? 'nothing')}`;
}

function CommentForm({ projectId, findingId }: Omit<ActivityProps, 'mayWrite'>): ReactNode {
  const client = useQueryClient();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState('');
  const comment = useMutation({
    mutationFn: () => clew.findings.comment(findingId, { text: text.trim() }, { project: projectId }),
    onSuccess: () => {
      setText('');
      void client.invalidateQueries(activityQuery(projectId, findingId));
    },
    onError: notifyError,
  });
  const send = () => {
    if (text.trim() !== '' && !comment.isPending) comment.mutate();
  };
  useCommands({ 'finding.comment': () => field.current?.focus() });
  return (
    <form
      className="mb-3 flex flex-col gap-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        ref={field}
        aria-label="Comment"
        aria-keyshortcuts="i"
        placeholder="Comment"
        rows={text === '' ? 1 : 3}
        maxLength={MAX_COMMENT}
        value={text}
        className="w-full resize-y rounded-md border border-line-strong bg-surface px-2 py-1.5 placeholder:text-muted"
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
      />
      {text === '' ? null : (
        <Button type="submit" className="self-end" isDisabled={text.trim() === '' || comment.isPending}>
          Comment
        </Button>
      )}
    </form>
  );
}
