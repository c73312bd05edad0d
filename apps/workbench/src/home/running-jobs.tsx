import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { clew } from '../api/client.ts';
import { meQuery } from '../api/queries.ts';
import { runningBackfillsQuery } from '../goals/queries.ts';
import { goalsQuery } from '../knowledge/queries.ts';
import { runtimeQuery } from '../runtime/queries.ts';
import { rulesQuery, runningRuleBackfillsQuery } from '../rules/queries.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { Progress } from '../ui/progress.tsx';
import { jobsOf, type Job, type JobPlace } from './jobs.ts';

const WATCH_MS = 2_500;
const MANY = 100;

/** Erasures that go on, read again until they are done. */
const runningErasuresQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['erasures', projectId, 'running'],
    queryFn: ({ signal }) =>
      clew.erasures.list({ status: 'running', project: projectId, signal }).toArray({ max: MANY }),
    refetchInterval: ({ state }) => ((state.data ?? []).length > 0 ? WATCH_MS : false),
  });

/** Work that goes on in the background; nothing while there is none. */
export default function RunningJobs({ projectId }: { readonly projectId: string }): ReactNode {
  const jobs = useJobs(projectId);
  if (jobs.length === 0) return null;
  return (
    <section aria-label="Running">
      <h2 className="border-b border-line pb-1.5 font-semibold">Running</h2>
      <ul>
        {jobs.map((job) => (
          <li
            key={job.id}
            className="grid items-center gap-x-3 gap-y-1 border-b border-line py-1.5 sm:grid-cols-[minmax(0,1fr)_8rem_minmax(0,16rem)]"
          >
            <JobLink projectId={projectId} job={job} />
            <Progress label={`${job.title}: ${job.name}`} share={job.share} />
            <span className="truncate text-xs text-muted tabular-nums" title={job.text}>
              {job.text}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function useJobs(projectId: string): Job[] {
  const { data: me } = useQuery(meQuery);
  const readings = useQuery(runningBackfillsQuery(projectId)).data;
  const ruleBackfills = useQuery({
    ...runningRuleBackfillsQuery(projectId),
    enabled: me?.features.rules === true,
  }).data;
  const erasures = useQuery(runningErasuresQuery(projectId)).data;
  const runtime = useQuery({ ...runtimeQuery(projectId), enabled: me?.features.modelRuntime === true }).data;
  const goals = useQuery({ ...goalsQuery(projectId), enabled: (readings ?? []).length > 0 }).data;
  const rules = useQuery({ ...rulesQuery(projectId), enabled: (ruleBackfills ?? []).length > 0 }).data;
  const names = new Map([
    ...(goals ?? []).map(({ id, name }) => [id, name] as const),
    ...(rules ?? []).map(({ ruleId, name }) => [ruleId, name] as const),
  ]);
  return jobsOf({ readings, ruleBackfills, erasures, runtime, nameOf: (id) => names.get(id) ?? '' });
}

function JobLink({ projectId, job }: { readonly projectId: string; readonly job: Job }): ReactNode {
  return (
    <span className="min-w-0 truncate">
      <Link {...linkOf(projectId, job.place)} className="font-medium hover:underline">
        {job.title}
      </Link>{' '}
      <HostileText className="text-muted" text={job.name} />
    </span>
  );
}

function linkOf(projectId: string, place: JobPlace) {
  if (place.kind === 'goal')
    return { to: '/p/$projectId/knowledge/goals/$goalId', params: { projectId, goalId: place.goalId } } as const;
  if (place.kind === 'rule')
    return { to: '/p/$projectId/rules/$ruleId', params: { projectId, ruleId: place.ruleId } } as const;
  if (place.kind === 'privacy')
    return { to: '/p/$projectId/settings/$part', params: { projectId, part: 'privacy' } } as const;
  return place.modelId === undefined
    ? ({ to: '/p/$projectId/models', params: { projectId } } as const)
    : ({ to: '/p/$projectId/models/$modelId', params: { projectId, modelId: place.modelId } } as const);
}
