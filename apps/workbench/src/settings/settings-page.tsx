import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, type ComponentType, type ReactNode } from 'react';
import { NotFoundError } from '@clew/sdk';
import { meQuery } from '../api/queries.ts';
import { may } from '../api/rights.ts';
import { PageHead } from '../ui/page-head.tsx';
import { Problem, Skeleton } from '../ui/states.tsx';
import { partNamed, partOf, shownParts, type PartId } from './parts.ts';
import type { PartProps } from './part-props.ts';
import { parseSettingsSearch } from './settings-search.ts';

const route = getRouteApi('/p/$projectId/settings/$part');

const VIEWS: Readonly<Record<PartId, ComponentType<PartProps>>> = {
  general: lazy(() => import('./general/general-part.tsx')),
  members: lazy(() => import('./members/members-part.tsx')),
  keys: lazy(() => import('./keys/keys-part.tsx')),
  connectors: lazy(() => import('./connectors/connectors-part.tsx')),
  webhooks: lazy(() => import('./webhooks/webhooks-part.tsx')),
  diagnostics: lazy(() => import('./diagnostics/diagnostics-part.tsx')),
  privacy: lazy(() => import('./privacy/privacy-part.tsx')),
  usage: lazy(() => import('./usage/usage-part.tsx')),
  audit: lazy(() => import('./audit/audit-part.tsx')),
  people: lazy(() => import('./people/people-part.tsx')),
  projects: lazy(() => import('./projects/projects-part.tsx')),
  'sign-in': lazy(() => import('./sign-in/sign-in-part.tsx')),
  health: lazy(() => import('./health/health-part.tsx')),
  account: lazy(() => import('./account/account-part.tsx')),
  appearance: lazy(() => import('./appearance/appearance-part.tsx')),
};

/** Screen 15: the settings of the project, of the workspace, and one's own. */
export function SettingsPage(): ReactNode {
  const { projectId, part: name } = route.useParams();
  // The router also gives parameters that no page knows.
  const search = parseSettingsSearch(route.useSearch());
  const navigate = useNavigate();
  const part = partNamed(name);
  if (part === undefined) return <Problem error={NO_PART} />;
  const View = VIEWS[part];
  return (
    <div className="flex min-h-0 flex-1 max-sm:flex-col">
      <PartsNav projectId={projectId} />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <PageHead title={partOf(part).label} />
        <div key={`${projectId} ${part}`} className="min-h-0 flex-1 overflow-auto px-4 pb-10">
          <div className="flex max-w-5xl flex-col gap-4">
            <Suspense fallback={<Skeleton label="The settings are being read" />}>
              <View
                {...{ projectId, search }}
                onSearch={(next) =>
                  void navigate({ to: '/p/$projectId/settings/$part', params: { projectId, part }, search: next })
                }
              />
            </Suspense>
          </div>
        </div>
      </div>
    </div>
  );
}

const NO_PART = new NotFoundError('no such part', { status: 404, code: 'NOT_FOUND' });

function PartsNav({ projectId }: { readonly projectId: string }): ReactNode {
  const { data: me } = useQuery(meQuery);
  const groups = shownParts((permission) => me !== undefined && may(me, projectId, permission));
  return (
    <nav
      aria-label="Settings"
      className="w-48 shrink-0 overflow-auto border-r border-line px-2 py-3 max-sm:max-h-40 max-sm:w-auto max-sm:border-r-0 max-sm:border-b"
    >
      {groups.map(({ group, parts }) => (
        <div key={group} className="mb-4 max-sm:mb-1">
          <p className="px-2 pb-1 text-xs font-medium text-muted">{group}</p>
          <ul className="flex flex-col gap-0.5 max-sm:flex-row max-sm:flex-wrap">
            {parts.map((part) => (
              <li key={part}>
                <Link
                  to="/p/$projectId/settings/$part"
                  params={{ projectId, part }}
                  activeOptions={{ includeSearch: false }}
                  className="flex min-h-7 items-center rounded-md px-2 text-muted hover:bg-hover hover:text-ink data-[status=active]:bg-chosen data-[status=active]:font-medium data-[status=active]:text-ink"
                >
                  {partOf(part).label}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
