import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

const TAB =
  '-mb-px flex h-9 items-center border-b-2 border-transparent text-muted whitespace-nowrap -outline-offset-2 hover:text-ink data-[status=active]:border-accent data-[status=active]:font-medium data-[status=active]:text-ink';

/** Parts of Knowledge: what was learned, and what is to be learned. */
export function KnowledgeTabs({ projectId }: { readonly projectId: string }): ReactNode {
  const exact = { exact: true, includeSearch: false };
  return (
    <nav aria-label="Knowledge" className="flex gap-4 border-b border-line px-4">
      <Link to="/p/$projectId/knowledge" params={{ projectId }} activeOptions={exact} className={TAB}>
        Review
      </Link>
      <Link to="/p/$projectId/knowledge/goals" params={{ projectId }} activeOptions={exact} className={TAB}>
        Learning Goals
      </Link>
    </nav>
  );
}
