import { useEffect, type ReactNode } from 'react';
import { visibleText } from '../text/visible-text.ts';
import { setTabTitle } from './tab-title.ts';

interface PageHeadProps {
  readonly title: string;
  /** Way up, before the title. */
  readonly trail?: ReactNode;
  readonly children?: ReactNode;
}

/** Head of a page: its title, which is also that of the tab, and its actions. */
export function PageHead({ title, trail, children }: PageHeadProps): ReactNode {
  const shown = visibleText(title);
  useEffect(() => {
    setTabTitle(`${shown} · Clew`);
  }, [shown]);
  return (
    <header className="flex min-h-12 shrink-0 items-center gap-2 px-4 py-2">
      {trail}
      <h1 title={shown} className="min-w-0 truncate text-lg font-semibold">
        <bdi>{shown}</bdi>
      </h1>
      <div className="ml-auto flex shrink-0 items-center gap-1.5">{children}</div>
    </header>
  );
}
