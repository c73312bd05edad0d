import type { ReactNode } from 'react';

interface PanelProps {
  readonly title: string;
  /** Purpose of the part, in a sentence. */
  readonly hint?: ReactNode;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** Framed part of a page, with a heading and its actions. */
export function Panel({ title, hint, aside, children }: PanelProps): ReactNode {
  return (
    <section className="rounded-lg border border-line bg-surface">
      <header className="flex flex-wrap items-start gap-x-3 gap-y-2 border-b border-line px-4 py-2.5">
        <div className="min-w-0 flex-1">
          <h2 className="text-base font-semibold">{title}</h2>
          {hint === undefined ? null : <p className="max-w-3xl text-muted">{hint}</p>}
        </div>
        {aside === undefined ? null : <div className="flex shrink-0 flex-wrap gap-1.5">{aside}</div>}
      </header>
      <div className="px-4 py-3">{children}</div>
    </section>
  );
}

interface FactsProps {
  readonly facts: readonly (readonly [label: string, value: ReactNode])[];
}

/** Short facts, each with its label. */
export function Facts({ facts }: FactsProps): ReactNode {
  return (
    <dl className="grid grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-x-6 gap-y-3">
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt className="text-xs text-muted">{label}</dt>
          <dd className="tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
