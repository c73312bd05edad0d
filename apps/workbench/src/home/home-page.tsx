import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { conversationSeriesQuery, meQuery } from '../api/queries.ts';
import { filledPoints } from '../conversations/filled-points.ts';
import { FirstConversation } from '../conversations/first-conversation.tsx';
import type { FindingsSearch } from '../findings/findings-search.ts';
import { SignalList } from '../shell/signals-dot.tsx';
import { useSignals } from '../shell/use-signals.ts';
import { signalLines } from '../shell/signals.ts';
import { count, counted, DAY, percent } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { Time } from '../text/time.tsx';
import { SeverityMark } from '../ui/badges.tsx';
import { Bars } from '../ui/bars.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { Loaded, withData } from '../ui/states.tsx';
import { useAfterPaint } from '../ui/use-later.ts';
import { DAYS, needQuery, NEEDS } from './queries.ts';
import { changeText, figuresOf, formerShareText, homeWindows, type Figures } from './figures.ts';

// Parts below the figures, which need the queries of other screens.
const AlsoWaiting = lazy(() => import('./also-waiting.tsx'));
const RunningJobs = lazy(() => import('./running-jobs.tsx'));

const route = getRouteApi('/p/$projectId/');

/** Screen 1: how the project is doing, and what needs somebody. */
export function HomePage(): ReactNode {
  const { projectId } = route.useParams();
  const [{ now, before }] = useState(() => homeWindows(Date.now(), DAYS));
  const series = useQuery({ ...conversationSeriesQuery(projectId, now), refetchInterval: 30_000 });
  const earlier = useQuery(conversationSeriesQuery(projectId, before));
  return (
    <>
      <PageHead title="Home">
        <span className="text-xs text-muted">Last {DAYS} days</span>
      </PageHead>
      <div className="min-h-0 flex-1 overflow-auto px-4 pb-8">
        <Loaded query={series} label="The figures are being read" lines={6}>
          {(data) => {
            const points = filledPoints(now, data);
            const figures = figuresOf(points);
            const former = figuresOf(filledPoints(before, earlier.data));
            return figures.conversations === 0 && former.conversations === 0 ? (
              <FirstConversation />
            ) : (
              <div className="mx-auto flex max-w-6xl flex-col gap-6">
                <FigureRow {...{ figures, former, points }} />
                <Needs projectId={projectId} />
                <Beyond projectId={projectId} />
              </div>
            );
          }}
        </Loaded>
      </div>
    </>
  );
}

/** Parts below, once the rest is on the screen. */
function Beyond({ projectId }: { readonly projectId: string }): ReactNode {
  if (!useAfterPaint()) return null;
  return (
    <>
      <Suspense fallback={null}>
        <AlsoWaiting projectId={projectId} />
        <RunningJobs projectId={projectId} />
      </Suspense>
      <Signals projectId={projectId} />
    </>
  );
}

interface FigureRowProps {
  readonly figures: Figures;
  readonly former: Figures;
  readonly points: readonly Api.ConversationPoint[];
}

function FigureRow({ figures, former, points }: FigureRowProps): ReactNode {
  const bars = (valueOf: (point: Api.ConversationPoint) => number) =>
    // Each bar is the 24 hours up to this hour of a day, which is the day that it is named for.
    points.map((point) => ({ startMs: point.startMs + DAY, value: valueOf(point) }));
  return (
    <div className="grid gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-2 xl:grid-cols-4">
      <Figure
        name="Conversations"
        value={count(figures.conversations)}
        change={changeText(figures.conversations, former.conversations)}
        bars={bars(({ conversations }) => conversations)}
      />
      <Figure
        name="With a Finding"
        value={percent(figures.flaggedShare)}
        change={formerShareText(former, 'flaggedShare', DAYS)}
        bars={bars(({ flagged }) => flagged)}
        isBad
      />
      <Figure
        name="With an error"
        value={percent(figures.errorShare)}
        change={formerShareText(former, 'errorShare', DAYS)}
        bars={bars(({ errors }) => errors)}
        isBad
      />
      <Figure
        name="Tokens"
        value={count(figures.tokens)}
        change={changeText(figures.tokens, former.tokens)}
        bars={bars(({ inputTokens, outputTokens }) => inputTokens + outputTokens)}
      />
    </div>
  );
}

interface FigureProps {
  readonly name: string;
  readonly value: string;
  readonly change: string;
  readonly bars: readonly { startMs: number; value: number }[];
  readonly isBad?: boolean;
}

function Figure({ name, value, change, bars, isBad = false }: FigureProps): ReactNode {
  return (
    <div className="bg-surface px-4 pt-3 pb-2">
      <h2 className="text-xs font-medium text-muted">{name}</h2>
      <p className="mt-0.5 mb-2 text-xl font-semibold tabular-nums">{value}</p>
      <Bars
        label={name}
        summary={change}
        bars={bars}
        valueName={name}
        height={36}
        tone={isBad ? 'critical' : 'accent'}
      />
    </div>
  );
}

function Needs({ projectId }: { readonly projectId: string }): ReactNode {
  const { data: me } = useQuery(meQuery);
  const own =
    me?.kind === 'user' ? [{ title: 'Assigned to me', search: { view: 'all', assignee: 'me' } as const }] : [];
  return (
    <div className="grid gap-6 lg:grid-cols-2">
      {[...NEEDS, ...own].map((need) => (
        <NeedList key={need.title} projectId={projectId} {...need} />
      ))}
    </div>
  );
}

interface NeedProps {
  readonly projectId: string;
  readonly title: string;
  readonly search: FindingsSearch;
}

function NeedList({ projectId, title, search }: NeedProps): ReactNode {
  const list = useInfiniteQuery(needQuery(projectId, search));
  const findings = list.data?.pages[0]?.data;
  return (
    <section aria-label={title}>
      <h2 className="flex items-baseline gap-2 border-b border-line pb-1.5 font-semibold">
        {title}
        <Link
          to="/p/$projectId/findings"
          params={{ projectId }}
          search={search}
          className="ml-auto text-xs font-normal text-muted hover:underline"
        >
          Show all
        </Link>
      </h2>
      <Loaded query={withData(list, findings)} label={title} lines={3}>
        {(shown) =>
          shown.length === 0 ? (
            <p className="py-2 text-muted">None.</p>
          ) : (
            <ul>
              {shown.map((finding) => (
                <li key={finding.id} className="flex items-center gap-3 border-b border-line py-1.5">
                  <span className="w-20 shrink-0">
                    <SeverityMark severity={finding.severity} />
                  </span>
                  <Link
                    to="/p/$projectId/findings/$findingId"
                    params={{ projectId, findingId: finding.id }}
                    className="min-w-0 flex-1 truncate font-medium hover:underline"
                  >
                    <HostileText text={finding.title} />
                  </Link>
                  <span
                    title={`In ${counted(finding.occurrenceCount, 'conversation')}`}
                    className="text-xs text-muted tabular-nums"
                  >
                    {count(finding.occurrenceCount)}×
                  </span>
                  <Time atMs={finding.lastDetectedAt} className="w-16 text-right text-xs text-muted" />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}

function Signals({ projectId }: { readonly projectId: string }): ReactNode {
  const { data } = useSignals(projectId);
  const notGood = data === undefined ? [] : signalLines(data.signals).filter(({ status }) => status !== 'ok');
  if (notGood.length === 0) return null;
  return (
    <section aria-label="Signals">
      <h2 className="border-b border-line pb-1.5 font-semibold">Signals</h2>
      <div className="py-2">
        <SignalList lines={notGood} />
      </div>
    </section>
  );
}
