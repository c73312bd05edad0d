import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { findingQuery, meQuery } from '../api/queries.ts';
import { useNames } from '../api/use-names.ts';
import { counted, fullTime, percent } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { Time } from '../text/time.tsx';
import { Section } from '../ui/section.tsx';
import { Activity } from './activity.tsx';
import { TakeOut } from './take-out.tsx';
import { WorkItemBlock } from './work-item-block.tsx';

/** Related Findings whose titles are read. */
const TITLED = 8;

interface ColumnProps {
  readonly projectId: string;
  readonly finding: Api.Finding;
  readonly mayWrite: boolean;
}

/** Right column: who looks after it, the repair, and what was said and done. */
export function WorkColumn({ projectId, finding, mayWrite }: ColumnProps): ReactNode {
  const nameOf = useNames(projectId);
  const { data: me } = useQuery(meQuery);
  return (
    <aside aria-label="Work" className="shrink-0 overflow-auto border-l border-line bg-canvas lg:w-80">
      <Section title="State">
        <dl className="grid grid-cols-[6.5rem_1fr] gap-y-1">
          <Fact name="Assignee">
            {finding.assignee === null ? 'Nobody' : <HostileText text={nameOf(finding.assignee)} />}
          </Fact>
          {finding.snooze === null ? null : <Fact name="Snoozed">{snoozeText(finding.snooze)}</Fact>}
          <Fact name="First seen">
            <Time atMs={finding.firstDetectedAt} />
          </Fact>
          <Fact name="Last seen">
            <Time atMs={finding.lastDetectedAt} />
          </Fact>
          {finding.regressedAt === null ? null : (
            <Fact name="Regressed">
              <Time atMs={finding.regressedAt} />
            </Fact>
          )}
        </dl>
      </Section>
      {finding.verification === null ? null : (
        <Section title="Verification">
          <Verification verification={finding.verification} />
        </Section>
      )}
      {me?.features.workItems === false ? null : (
        <Section title="Work item">
          <WorkItemBlock {...{ projectId, finding, mayWrite }} />
        </Section>
      )}
      <Related {...{ projectId, finding, mayWrite }} />
      <Section title="Activity">
        <Activity {...{ projectId, mayWrite }} findingId={finding.id} />
      </Section>
    </aside>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 truncate">{children}</dd>
    </>
  );
}

function snoozeText({ until, furtherOccurrences }: Api.FindingSnooze): string {
  const time = until === null ? undefined : `until ${fullTime(until)}`;
  const number = furtherOccurrences === null ? undefined : `until ${counted(furtherOccurrences, 'more conversation')}`;
  return [time, number].filter((each) => each !== undefined).join(', or ');
}

function Verification({ verification }: { readonly verification: Api.FindingVerification }): ReactNode {
  const { cleanExposures, requiredExposures, recurrenceBound, since } = verification;
  return (
    <>
      <progress
        className="h-1.5 w-full accent-[var(--ok)]"
        aria-label="Clean conversations"
        max={requiredExposures}
        value={Math.min(cleanExposures, requiredExposures)}
      />
      <p className="mt-1">
        {cleanExposures} of {requiredExposures} conversations that could have shown it were clean, since{' '}
        <Time atMs={since} />.
      </p>
      <p className="text-muted">
        It occurs in at most {percent(recurrenceBound)} of such conversations, with 95% confidence.
      </p>
    </>
  );
}

function Related({ projectId, finding, mayWrite }: ColumnProps): ReactNode {
  const { mergedFindingIds, splitFrom, splits } = finding;
  const related = [
    ...mergedFindingIds.map((id) => [id, 'merged into this one'] as const),
    ...(splitFrom === null ? [] : [[splitFrom, 'this one was split off it'] as const]),
    ...splits.map(({ findingId }) => [findingId, 'split off this one'] as const),
  ];
  if (related.length === 0) return null;
  return (
    <Section title="Related Findings">
      <ul className="flex flex-col gap-2">
        {related.map(([findingId, how], at) => (
          <li key={`${findingId} ${how}`}>
            <RelatedLink {...{ projectId, findingId }} isTitled={at < TITLED} />
            <span className="flex min-h-6 items-center gap-2 text-xs text-muted">
              {how}
              {mayWrite && mergedFindingIds.includes(findingId) ? (
                <TakeOut projectId={projectId} findingId={findingId} />
              ) : null}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

interface RelatedProps {
  readonly projectId: string;
  readonly findingId: string;
  /** Whether its title is read; the many others are told by their ids. */
  readonly isTitled: boolean;
}

function RelatedLink({ projectId, findingId, isTitled }: RelatedProps): ReactNode {
  const { data } = useQuery({ ...findingQuery(projectId, findingId), enabled: isTitled });
  return (
    <Link
      to="/p/$projectId/findings/$findingId"
      params={{ projectId, findingId }}
      className={data === undefined ? 'font-mono text-xs underline' : 'line-clamp-2 hover:underline'}
    >
      <HostileText text={data?.title ?? findingId} />
    </Link>
  );
}
