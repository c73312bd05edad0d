import { useState, type ReactNode } from 'react';
import { cx } from '../ui/cx.ts';
import { PopoverButton } from '../ui/popover-button.tsx';
import { useSignals } from './use-signals.ts';
import { overallStatus, signalLines, type SignalLine } from './signals.ts';

const DOTS: Readonly<Record<SignalLine['status'], string>> = { ok: 'bg-ok', bad: 'bg-critical', unknown: 'bg-medium' };
const LABELS: Readonly<Record<SignalLine['status'], string>> = {
  ok: 'All work gets done',
  bad: 'Something is behind',
  unknown: 'Not all is known',
};

/** Dot that says whether the work of the deployment gets done; pressed, it says more. */
export function SignalsDot({ projectId }: { readonly projectId: string }): ReactNode {
  const { data, error } = useSignals(projectId);
  const [isOpen, setOpen] = useState(false);
  if (data === undefined && error === null) return <div className="h-7" />;
  const lines = data === undefined ? [] : signalLines(data.signals);
  const status = data === undefined ? 'unknown' : overallStatus(lines);
  return (
    <PopoverButton
      title="Signals"
      isOpen={isOpen}
      onOpenChange={setOpen}
      button={{
        look: 'quiet',
        className: 'w-full justify-start gap-2.5 px-2.5',
        children: (
          <>
            <span className="sr-only">Signals: </span>
            <span aria-hidden className={cx('size-2 shrink-0 rounded-full', DOTS[status])} />
            <span className="label truncate">{LABELS[status]}</span>
          </>
        ),
      }}
      placement="right bottom"
      className="w-80 p-3"
    >
      <h2 className="mb-2 font-semibold">Signals</h2>
      {error === null || data !== undefined ? <SignalList lines={lines} /> : <p>{error.message}</p>}
    </PopoverButton>
  );
}

/** Signals one below the other. */
export function SignalList({ lines }: { readonly lines: readonly SignalLine[] }): ReactNode {
  return (
    <ul className="flex flex-col gap-2">
      {lines.map(({ name, status, text }) => (
        <li key={name} className="flex items-baseline gap-2">
          <Dot status={status} />
          <span>
            <span className="font-medium">{name}</span> <span className="text-muted">{text}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

function Dot({ status }: { readonly status: SignalLine['status'] }): ReactNode {
  return <span role="img" aria-label={LABELS[status]} className={cx('size-2 shrink-0 rounded-full', DOTS[status])} />;
}
