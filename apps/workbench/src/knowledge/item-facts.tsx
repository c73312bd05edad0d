import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { useNames } from '../api/use-names.ts';
import { fullTime, sentence } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { Time } from '../text/time.tsx';
import { Button } from '../ui/button.tsx';
import { Section } from '../ui/section.tsx';
import { messageOf } from '../ui/problem.ts';
import { goalsQuery, revisionsQuery } from './queries.ts';
import { revisionChanges } from './revisions.ts';

const WordDiff = lazy(() => import('../ui/word-diff.tsx'));

interface FactsProps {
  readonly projectId: string;
  readonly item: Api.KnowledgeItem;
}

/** Column beside an item: whom it is about, when it holds, and how it came to be what it is. */
export function ItemFacts({ projectId, item }: FactsProps): ReactNode {
  const { data: goals = [] } = useQuery(goalsQuery(projectId));
  const nameOf = useNames(projectId);
  const goal = goals.find(({ id }) => id === item.goalId);
  const { subject, saidAt, heldFrom, heldUntil, validFrom, validUntil, reviewedAt, reviewedBy, createdAt } = item;
  return (
    <aside
      aria-label="Facts"
      tabIndex={0}
      className="shrink-0 border-line -outline-offset-2 max-xl:border-t xl:w-72 xl:overflow-auto xl:border-l"
    >
      <Section title="About">
        {subject.kind === 'project' && subject.name === 'project' ? (
          'The project as a whole'
        ) : (
          <>
            <HostileText className="font-medium" text={subject.name} />{' '}
            <span className="text-xs text-muted">{subject.kind}</span>
          </>
        )}
        {subject.userId === null ? null : (
          <HostileText className="block truncate font-mono text-xs text-muted" text={subject.userId} />
        )}
      </Section>
      <Section title="When">
        <dl className="grid grid-cols-[5.5rem_1fr] gap-x-2 gap-y-1">
          <Fact name="Said">
            <Time atMs={saidAt} />
          </Fact>
          <Fact name="Holds from">
            <Day atMs={heldFrom} />
            {validFrom === null ? <span className="text-xs text-muted"> when it was said</span> : null}
          </Fact>
          <Fact name="Holds until">
            {heldUntil === null ? <span className="text-muted">no end is known</span> : <Day atMs={heldUntil} />}
            {heldUntil !== null && validUntil === null ? (
              <span className="text-xs text-muted"> when it was replaced</span>
            ) : null}
          </Fact>
        </dl>
      </Section>
      <Section title="Where from">
        <dl className="grid grid-cols-[5.5rem_1fr] gap-x-2 gap-y-1">
          <Fact name="Goal">
            <Link
              to="/p/$projectId/knowledge/goals/$goalId"
              params={{ projectId, goalId: item.goalId }}
              className="underline"
            >
              <HostileText text={goal?.name ?? item.goalId} />
            </Link>
          </Fact>
          <Fact name="Learned">
            <Time atMs={createdAt} />
          </Fact>
          <Fact name="Reviewed">
            {reviewedAt === null ? (
              <span className="text-muted">not yet</span>
            ) : (
              <>
                <Time atMs={reviewedAt} /> by <HostileText text={nameOf(reviewedBy ?? '')} />
              </>
            )}
          </Fact>
        </dl>
      </Section>
      <Revisions key={item.id} {...{ projectId, item, nameOf }} />
    </aside>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}

function Day({ atMs }: { readonly atMs: number }): ReactNode {
  const text = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }).format(atMs);
  return (
    <time dateTime={new Date(atMs).toISOString()} title={fullTime(atMs)}>
      {text}
    </time>
  );
}

const AUTHORS: Readonly<Record<Api.KnowledgeItemRevision['author']['kind'], string>> = {
  user: 'a person',
  key: 'a key',
  extraction: 'a model',
  erasure: 'an erasure',
};

function Revisions({ projectId, item, nameOf }: FactsProps & { readonly nameOf: (id: string) => string }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  if (!isOpen) {
    return (
      <Section title="Revisions" aside={item.revision}>
        <Button look="quiet" className="-ml-2.5" onPress={() => setOpen(true)}>
          Show how it changed
        </Button>
      </Section>
    );
  }
  return (
    <Section title="Revisions" aside={item.revision}>
      <RevisionList {...{ projectId, item, nameOf }} />
    </Section>
  );
}

function RevisionList({
  projectId,
  item,
  nameOf,
}: FactsProps & { readonly nameOf: (id: string) => string }): ReactNode {
  const list = useInfiniteQuery(revisionsQuery(projectId, item.id));
  const revisions = list.data?.pages.flatMap(({ data }) => data);
  if (revisions === undefined)
    return <p className="text-muted">{list.error === null ? 'They are being read.' : messageOf(list.error)}</p>;
  return (
    <ol className="flex flex-col gap-2.5">
      {revisions.map(({ revision, author, createdAt, item: then }, at) => (
        <li key={revision} className="border-l-2 border-line pl-2.5">
          <p className="text-xs text-muted">
            <Time atMs={createdAt} /> by{' '}
            <HostileText text={author.id === null ? AUTHORS[author.kind] : nameOf(author.id)} />
          </p>
          <RevisionChanges now={then} before={revisions[at + 1]?.item} isLast={at + 1 === revisions.length} />
        </li>
      ))}
      {list.hasNextPage ? <Button onPress={() => void list.fetchNextPage()}>Earlier ones</Button> : null}
    </ol>
  );
}

interface ChangesProps {
  readonly now: Api.KnowledgeItem;
  readonly before: Api.KnowledgeItem | undefined;
  readonly isLast: boolean;
}

function RevisionChanges({ now, before, isLast }: ChangesProps): ReactNode {
  if (before === undefined) return isLast && now.revision === 1 ? <p>Learned</p> : null;
  const changes = revisionChanges(before, now);
  if (changes.length === 0) return <p>Reviewed, and left as it was</p>;
  return changes.map(({ field, from, to }) => (
    <div key={field}>
      <span className="text-xs text-muted">{sentence(field)}: </span>
      <Suspense fallback={<HostileText text={to} />}>
        <WordDiff before={from} after={to} />
      </Suspense>
    </div>
  ));
}
