import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Outlet, useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react';
import { NotFoundError } from '@clew/sdk';
import { projectsQuery } from '../api/queries.ts';
import { useLiveChanges } from '../api/use-live-changes.ts';
import { useCommands } from '../commands/use-commands.ts';
import { setPreferences } from '../preferences/preferences.ts';
import { Button, Keys } from '../ui/button.tsx';
import { notify } from '../ui/notices.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { Problem } from '../ui/states.tsx';
import { useLater } from '../ui/use-later.ts';
import { PersonMenu } from './person-menu.tsx';
import { ProjectSwitcher } from './project-switcher.tsx';
import { SCREENS, SETTINGS } from './screens.ts';
import { ReadProblems } from './read-problems.tsx';
import { SignalsDot } from './signals-dot.tsx';

const Palette = lazy(() => import('./palette.tsx'));
const RailProgress = lazy(() => import('../runtime/rail-progress.tsx'));
const KeysSheet = lazy(() => import('./keys-sheet.tsx'));

const route = getRouteApi('/p/$projectId');

/** Frame of all screens of a project. */
export function Shell(): ReactNode {
  const { projectId } = route.useParams();
  const { data: projects = [] } = useQuery(projectsQuery);
  const isOpen = projects.some(({ id }) => id === projectId);
  const liveState = useLiveChanges(isOpen ? projectId : undefined);
  useEffect(() => {
    if (isOpen) setPreferences({ projectId });
  }, [isOpen, projectId]);
  return (
    <div className="relative flex h-full overflow-clip">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-raised focus:p-2"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById('content')?.focus();
        }}
      >
        To the content
      </a>
      <Rail projectId={projectId} />
      <main id="content" tabIndex={-1} className="flex min-w-0 flex-1 flex-col outline-none">
        {liveState === 'cut' ? (
          <p role="status" className="bg-medium-soft px-4 py-1 text-xs text-medium">
            Changes are not heard at the moment; what is shown may be out of date.
          </p>
        ) : null}
        <ReadProblems />
        {isOpen ? (
          <Outlet />
        ) : (
          <>
            <PageHead title="Project" />
            <Problem error={NOT_OPEN} />
          </>
        )}
      </main>
      <Overlays projectId={projectId} />
    </div>
  );
}

const NOT_OPEN = new NotFoundError('no such project', { status: 404, code: 'NOT_FOUND' });

function Rail({ projectId }: { readonly projectId: string }): ReactNode {
  return (
    <nav
      aria-label="Main"
      className="flex w-14 shrink-0 flex-col border-r border-line bg-sunken px-2 py-2.5 sm:w-52 max-sm:[&_.label]:sr-only"
    >
      <ProjectSwitcher projectId={projectId} />
      <PaletteButton />
      <ul className="flex flex-col gap-0.5">
        {SCREENS.map((screen) => (
          <li key={screen.to}>
            <RailLink projectId={projectId} screen={screen} />
          </li>
        ))}
      </ul>
      <div className="mt-auto flex flex-col gap-0.5">
        <RailLink projectId={projectId} screen={SETTINGS} />
        <SignalsDot projectId={projectId} />
        <PersonMenu />
      </div>
    </nav>
  );
}

interface RailLinkProps {
  readonly projectId: string;
  readonly screen: (typeof SCREENS)[number] | typeof SETTINGS;
}

function RailLink({ projectId, screen }: RailLinkProps): ReactNode {
  const { to, label, icon: Icon, command } = screen;
  return (
    <Link
      to={to}
      params={{ projectId }}
      activeOptions={{ exact: to === '/p/$projectId', includeSearch: false }}
      className="group flex h-8 items-center gap-2.5 rounded-md px-2 font-medium text-muted hover:bg-hover hover:text-ink data-[status=active]:bg-chosen data-[status=active]:text-ink"
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      <span className="label">{label}</span>
      {command === 'go.models' ? <WorkOfModels projectId={projectId} /> : null}
      <span className="label ml-auto opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100">
        <Keys command={command} />
      </span>
    </Link>
  );
}

function WorkOfModels({ projectId }: { readonly projectId: string }): ReactNode {
  if (!useLater()) return null;
  return (
    <Suspense fallback={null}>
      <RailProgress projectId={projectId} />
    </Suspense>
  );
}

const paletteListeners = new Set<() => void>();

function PaletteButton(): ReactNode {
  return (
    <Button
      look="quiet"
      className="mt-2 mb-3 w-full justify-start gap-2 border-line bg-surface px-2"
      onPress={() => {
        for (const open of paletteListeners) open();
      }}
    >
      <Search aria-hidden className="size-3.5 shrink-0" />
      <span className="label">Search</span>
      <span className="label ml-auto">
        <Keys command="palette.open" />
      </span>
    </Button>
  );
}

type Overlay = 'palette' | 'keys' | undefined;

function Overlays({ projectId }: { readonly projectId: string }): ReactNode {
  const navigate = useNavigate();
  const [overlay, setOverlay] = useState<Overlay>();
  const go = (to: RailLinkProps['screen']['to'] | '/p/$projectId/expectations') => () =>
    void navigate({ to, params: { projectId } });
  useEffect(() => {
    const open = () => setOverlay('palette');
    paletteListeners.add(open);
    return () => {
      paletteListeners.delete(open);
    };
  }, []);
  useCommands({
    'palette.open': () => setOverlay((shown) => (shown === 'palette' ? undefined : 'palette')),
    'keys.show': () => setOverlay('keys'),
    'link.copy': () => copy(location.href, 'The link'),
    'go.home': go('/p/$projectId'),
    'go.findings': go('/p/$projectId/findings'),
    'go.conversations': go('/p/$projectId/conversations'),
    'go.rules': go('/p/$projectId/rules'),
    'go.expectations': go('/p/$projectId/expectations'),
    'go.work-items': go('/p/$projectId/work-items'),
    'go.settings': go(SETTINGS.to),
    'go.knowledge': go('/p/$projectId/knowledge'),
    'go.models': go('/p/$projectId/models'),
    'go.datasets': go('/p/$projectId/datasets'),
  });
  const onClose = () => setOverlay(undefined);
  return (
    <Suspense fallback={null}>
      {overlay === 'palette' ? <Palette projectId={projectId} onClose={onClose} /> : null}
      {overlay === 'keys' ? <KeysSheet onClose={onClose} /> : null}
    </Suspense>
  );
}

function copy(text: string, name: string): void {
  navigator.clipboard.writeText(text).then(
    () => notify(`${name} is copied`),
    () => notify(text),
  );
}
