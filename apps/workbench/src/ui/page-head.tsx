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
    <header className="flex min-h-12 shrink-0 items-center gap-2 px-4 py-2 max-md:flex-wrap">
      {trail}
      <h1
        title={shown}
        className="min-w-0 truncate text-lg font-semibold max-md:line-clamp-3 max-md:flex-1 max-md:basis-40 max-md:whitespace-normal"
      >
        <bdi>{shown}</bdi>
      </h1>
      <div className="ml-auto flex shrink-0 items-center gap-1.5 max-md:shrink max-md:flex-wrap">{children}</div>
    </header>
  );
}
