import { X } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { duration, sentence } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { Button } from '../ui/button.tsx';
import { FlatTree } from '../ui/flat-tree.tsx';
import type { SpanNode } from './span-tree.ts';

interface PanelProps {
  readonly node: SpanNode;
  readonly onClose: () => void;
}

const KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'];

/** Side of a trace: what the chosen span tells. */
export function SpanPanel({ node, onClose }: PanelProps): ReactNode {
  const { span, startMs, durationMs, hasFailed } = node;
  const value = useMemo(
    () => ({ ...span.attributes, ...(span.events.length === 0 ? {} : { events: span.events }) }),
    [span],
  );
  return (
    <aside
      aria-label="Span"
      className="flex w-[28rem] shrink-0 flex-col overflow-hidden border-l border-line max-lg:min-h-80 max-lg:w-full max-lg:border-t"
    >
      <div className="border-b border-line px-3 py-2">
        <div className="flex items-start gap-2">
          <h2 className="min-w-0 flex-1 font-semibold break-words">
            <HostileText text={span.name} />
          </h2>
          <Button look="quiet" className="h-6 px-1" aria-label="Close the span" onPress={onClose}>
            <X aria-hidden className="size-3.5" />
          </Button>
        </div>
        <p className="text-xs text-muted tabular-nums">
          {sentence(KINDS[span.kind] ?? 'span')} · begins after {duration(startMs)} · takes {duration(durationMs)}
          {span.scopeName === null ? '' : ' · '}
          {span.scopeName === null ? null : <HostileText text={span.scopeName} />}
        </p>
        <p className="font-mono text-xs text-muted">
          <HostileText text={span.spanId} />
        </p>
        {hasFailed ? (
          <p className="mt-1 rounded bg-critical-soft px-2 py-1 text-xs text-critical">
            Failed{span.statusMessage === null || span.statusMessage === '' ? '' : ': '}
            <HostileText text={span.statusMessage ?? ''} />
          </p>
        ) : null}
      </div>
      <FlatTree label="Attributes and events" value={value} />
    </aside>
  );
}
