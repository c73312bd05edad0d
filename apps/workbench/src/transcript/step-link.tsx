import { Link2 } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { notify } from '../ui/notices.tsx';

interface StepLinkProps {
  readonly step: number;
  readonly address: string;
}

const SHOWN_MS = 2_000;

/** Number of a step, which copies the link that leads to it. */
export function StepLink({ step, address }: StepLinkProps): ReactNode {
  const [copies, setCopies] = useState(0);
  const isCopied = copies > 0;
  useEffect(() => {
    if (copies === 0) return;
    const timer = setTimeout(() => setCopies(0), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copies]);
  const copy = () => {
    navigator.clipboard.writeText(address).then(
      () => setCopies((before) => before + 1),
      () => notify(address),
    );
  };
  return (
    <button
      type="button"
      aria-label={isCopied ? `Copied, the link to step ${step}` : `Step ${step}, copy a link to it`}
      title="Copy a link to this step"
      className="group/link -my-0.5 inline-flex items-center gap-1 rounded px-1 py-0.5 hover:bg-hover hover:text-ink"
      onClick={copy}
    >
      {isCopied ? <span className="text-ok">Copied</span> : null}
      <Link2
        aria-hidden
        className="size-3 opacity-0 group-hover/card:opacity-100 group-focus-within/card:opacity-100 group-focus-visible/link:opacity-100"
      />
      {step}
    </button>
  );
}
