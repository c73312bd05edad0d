import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ChevronsUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { projectsQuery } from '../api/queries.ts';
import { visibleText } from '../text/visible-text.ts';
import { ChoiceMenu } from '../ui/menu.tsx';

/** Name of the project, which opens the list of projects. */
export function ProjectSwitcher({ projectId }: { readonly projectId: string }): ReactNode {
  const navigate = useNavigate();
  const { data: projects = [] } = useQuery(projectsQuery);
  const name = visibleText(projects.find(({ id }) => id === projectId)?.name ?? 'No project');
  return (
    <ChoiceMenu
      ariaLabel={`Project ${name}`}
      look="quiet"
      className="h-9 w-full justify-start gap-2 px-1.5 text-ink"
      label={
        <>
          <span
            aria-hidden
            className="grid size-6 shrink-0 place-items-center rounded bg-accent text-xs font-semibold text-accent-ink uppercase"
          >
            {[...name][0]}
          </span>
          <span className="label min-w-0 flex-1 truncate text-left font-semibold">{name}</span>
          <ChevronsUpDown aria-hidden className="label size-3.5 text-muted" />
        </>
      }
      sections={[
        {
          title: 'Projects',
          choices: projects.map(({ id, name: each }) => ({
            id,
            label: visibleText(each),
            text: visibleText(each),
            isChosen: id === projectId,
          })),
        },
      ]}
      onChoose={(id) => void navigate({ to: '/p/$projectId', params: { projectId: id } })}
    />
  );
}
