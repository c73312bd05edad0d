import { useState, type ReactNode } from 'react';
import { roleWith } from '../api/rights.ts';
import { Button } from './button.tsx';
import { cx } from './cx.ts';
import { PageHead } from './page-head.tsx';
import { problemOf } from './problem.ts';
import { useShownError } from './shown-errors.ts';

/** Placeholder of lines that are being read; it stays unseen for 150 ms. */
export function Skeleton({ lines = 8, label }: { readonly lines?: number; readonly label: string }): ReactNode {
  return (
    <div role="status" aria-label={label} className="flex flex-col gap-3 p-4">
      {Array.from({ length: lines }, (_, at) => (
        <div key={at} className="flex items-center gap-3">
          <div className="skeleton h-3.5 w-14" />
          <div className={cx('skeleton h-3.5', WIDTHS[at % WIDTHS.length])} />
          <div className="skeleton ml-auto h-3.5 w-16" />
        </div>
      ))}
    </div>
  );
}

const WIDTHS = ['w-1/2', 'w-2/5', 'w-3/5', 'w-1/3'];

interface EmptyProps {
  readonly title: string;
  readonly children: ReactNode;
  /** The one next action. */
  readonly action?: ReactNode;
}

/** Place where nothing is yet: what will be here, and how to begin. */
export function FirstUse({ title, children, action }: EmptyProps): ReactNode {
  return (
    <div className="mx-auto flex max-w-lg flex-col items-start gap-3 px-6 py-16">
      <h2 className="text-lg font-semibold">{title}</h2>
      <div className="text-base text-muted">{children}</div>
      {action}
    </div>
  );
}

export interface FilteredEmptyProps {
  readonly noun: string;
  /** Filter without which most would be shown. */
  readonly strictest?: { readonly label: string; readonly wouldShow: string };
  readonly onClear?: () => void;
  readonly onClearAll: () => void;
}

/** List that filters have emptied: names the filter that excludes most, and clears it. */
export function FilteredEmpty({ noun, strictest, onClear, onClearAll }: FilteredEmptyProps): ReactNode {
  return (
    <FirstUse
      title={`No ${noun} match`}
      action={
        <div className="flex gap-2">
          {strictest === undefined || onClear === undefined ? null : (
            <Button look="main" onPress={onClear}>
              Clear {strictest.label}
            </Button>
          )}
          <Button onPress={onClearAll}>Clear all filters</Button>
        </div>
      }
    >
      {strictest === undefined
        ? 'The filters leave none.'
        : `Without ${strictest.label}, ${strictest.wouldShow} would be shown.`}
    </FirstUse>
  );
}

/** Error of a page or of a part of it, with what helps: the id to quote, and another try. */
export function Problem({ error, onRetry }: { readonly error: Error; readonly onRetry?: () => void }): ReactNode {
  const { title, text, requestId, mayRetry } = problemOf(error, roleWith);
  useShownError(error);
  return (
    <div role="alert" className="mx-auto flex max-w-lg flex-col items-start gap-3 px-6 py-12">
      <h2 className="text-lg font-semibold">{title}</h2>
      <p className="text-base text-muted">{text}</p>
      {requestId === undefined ? null : <RequestId id={requestId} />}
      {mayRetry && onRetry !== undefined ? (
        <Button look="main" onPress={onRetry}>
          Try again
        </Button>
      ) : null}
    </div>
  );
}

function RequestId({ id }: { readonly id: string }): ReactNode {
  const [isCopied, setCopied] = useState(false);
  const copy = () => {
    void navigator.clipboard.writeText(id).then(() => setCopied(true));
  };
  return (
    <div className="flex flex-wrap items-center gap-2 text-xs text-muted">
      Request <code className="font-mono break-all text-ink">{id}</code>
      <Button look="quiet" className="h-6 px-1.5 text-xs" onPress={copy}>
        {isCopied ? 'Copied' : 'Copy'}
      </Button>
    </div>
  );
}

/** Part of a TanStack query that a view needs. */
export interface Reading<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  readonly isPlaceholderData: boolean;
  readonly refetch: () => unknown;
}

/** Query with other data in it, as what its pages have together; only what is needed of it has a view drawn again. */
export function withData<Data>(
  { error, isPlaceholderData, refetch }: Omit<Reading<unknown>, 'data'>,
  data: Data | undefined,
): Reading<Data> {
  return { data, error, isPlaceholderData, refetch };
}

interface LoadedProps<Data> {
  readonly query: Reading<Data>;
  readonly label: string;
  readonly lines?: number;
  /** Title of the page until the data gives it one, if all of the page waits for this. */
  readonly title?: string;
  readonly children: (data: Data) => ReactNode;
}

/** Shows what a query has read, or the state that it is in. Earlier data stays, dimmed, while others are read. */
export function Loaded<Data>({ query, label, lines, title, children }: LoadedProps<Data>): ReactNode {
  const { data, error, isPlaceholderData, refetch } = query;
  if (data === undefined) {
    return (
      <>
        {title === undefined ? null : <PageHead title={title} />}
        {error === null ? (
          <Skeleton label={label} lines={lines} />
        ) : (
          <Problem error={error} onRetry={() => void refetch()} />
        )}
      </>
    );
  }
  return isPlaceholderData ? <div className="dimmed contents">{children(data)}</div> : children(data);
}
