import type { ReactNode } from 'react';

interface SectionProps {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** Part of a side column, with a small heading. */
export function Section({ title, aside, children }: SectionProps): ReactNode {
  return (
    <section className="border-b border-line px-4 py-3 last:border-b-0">
      <h2 className="mb-1.5 flex items-center gap-2 text-xs font-semibold text-muted">
        {title}
        {aside === undefined ? null : <span className="ml-auto font-normal">{aside}</span>}
      </h2>
      {children}
    </section>
  );
}
