import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { percent, sentence } from '../text/format.ts';
import { SeverityMark, type Severity } from '../ui/badges.tsx';
import { InlineSelect } from '../ui/inline-select.tsx';
import { Table, type TableColumn } from '../ui/table.tsx';
import { signalState, withSignal } from './rule-configuration.ts';

type Overrides = Api.RuleConfiguration['signalOverrides'];

interface SignalsTableProps {
  readonly signals: readonly Api.RuleSignal[];
  readonly overrides: Overrides;
  readonly isDisabled: boolean;
  readonly onOverrides: (overrides: Overrides) => void;
}

const SEVERITIES: readonly Severity[] = ['critical', 'high', 'medium', 'low', 'info'];

/** Signals of a Rule, each of which can be switched off or given a severity of one's own. */
export function SignalsTable({ signals, overrides, isDisabled, onOverrides }: SignalsTableProps): ReactNode {
  const columns: TableColumn<Api.RuleSignal>[] = [
    {
      id: 'on',
      header: 'On',
      cell: (signal) => (
        <input
          type="checkbox"
          aria-label={`Look for ${signal.name}`}
          className="mt-0.5 size-3.5 accent-[var(--accent)]"
          disabled={isDisabled}
          checked={signalState(overrides, signal).enabled}
          onChange={(event) => onOverrides(withSignal(overrides, signal, { enabled: event.currentTarget.checked }))}
        />
      ),
    },
    {
      id: 'name',
      header: 'Signal',
      cell: ({ name, description }) => (
        <>
          <span className="font-medium">{sentence(name)}</span>
          <span className="block text-xs text-muted">{description}</span>
        </>
      ),
    },
    {
      id: 'weight',
      header: 'Weight',
      className: 'tabular-nums',
      cell: ({ weight }) => <span title="How much a clear case of it alone says">{percent(weight)}</span>,
    },
    {
      id: 'severity',
      header: 'Severity',
      cell: (signal) => {
        const { severity, enabled } = signalState(overrides, signal);
        if (isDisabled) return <SeverityMark severity={severity} />;
        return (
          <InlineSelect
            label={`Severity of ${signal.name}`}
            value={severity}
            isDisabled={!enabled}
            onChange={(id) => {
              const next = SEVERITIES.find((each) => each === id);
              if (next !== undefined) onOverrides(withSignal(overrides, signal, { severity: next }));
            }}
            options={SEVERITIES.map((id) => ({
              id,
              label: id === signal.defaultSeverity ? `${sentence(id)} (its own)` : sentence(id),
            }))}
          />
        );
      },
    },
  ];
  return <Table label="Signals" rows={signals} columns={columns} idOf={({ name }) => name} />;
}
