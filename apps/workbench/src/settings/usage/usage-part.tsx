import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { count, counted } from '../../text/format.ts';
import { Bars } from '../../ui/bars.tsx';
import { InlineSelect } from '../../ui/inline-select.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Loaded } from '../../ui/states.tsx';
import { usageQuery } from '../queries.ts';
import type { PartProps } from '../part-props.ts';
import { choiceOf } from '../settings-search.ts';
import { filled } from '../../text/series.ts';
import { costText, lastDays, totalCosts } from './figures.ts';
import { QuotasPanel } from './quotas-panel.tsx';
import { UsageTable } from './usage-table.tsx';

const GROUPINGS = ['day', 'model', 'key'] as const;
const SPANS = ['7', '30', '90'] as const;
const DAY_MS = 86_400_000;

/** Quotas of the project, and what it has used. */
export default function UsagePart({ projectId, search, onSearch }: PartProps): ReactNode {
  const [nowMs] = useState(Date.now);
  const by = choiceOf(search.by, GROUPINGS) ?? 'day';
  const span = choiceOf(search.days, SPANS) ?? '30';
  const days = lastDays(Number(span), nowMs);
  const usage = useQuery(usageQuery(projectId, days, by));
  const daily = useQuery(usageQuery(projectId, days, 'day'));
  return (
    <>
      <QuotasPanel {...{ projectId, nowMs }} />
      <Panel
        title="Usage"
        hint="Of all calls of models through Clew, those of diagnosis among them. Days are those of UTC."
        aside={
          <>
            <InlineSelect
              label="Days"
              value={span}
              onChange={(value) => onSearch({ ...search, days: value })}
              options={SPANS.map((id) => ({ id, label: `Last ${id} days` }))}
            />
            <InlineSelect
              label="Grouped by"
              value={by}
              onChange={(value) => onSearch({ ...search, by: value })}
              options={GROUPINGS.map((id) => ({ id, label: `By ${id}` }))}
            />
          </>
        }
      >
        {daily.data === undefined ? null : <TokenBars rows={daily.data.usage} days={Number(span)} nowMs={nowMs} />}
        <Loaded query={usage} label="The usage is being read" lines={5}>
          {({ usage: rows, isComplete }) => <UsageTable {...{ projectId, by, rows, isComplete }} />}
        </Loaded>
      </Panel>
    </>
  );
}

interface TokenBarsProps {
  readonly rows: readonly Api.UsageRow[];
  readonly days: number;
  readonly nowMs: number;
}

function TokenBars({ rows, days, nowMs }: TokenBarsProps): ReactNode {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const window = { startMs: today - (days - 1) * DAY_MS, endMs: today + DAY_MS, intervalMs: DAY_MS };
  const points = rows.map((row) => ({
    startMs: Date.parse(row.group),
    value: row.inputTokens + row.outputTokens,
  }));
  const tokens = points.reduce((sum, { value }) => sum + value, 0);
  const calls = rows.reduce((sum, row) => sum + row.calls, 0);
  const costs = totalCosts(rows);
  return (
    <div className="mb-4">
      <Bars
        label="Tokens by day"
        summary={`${count(tokens)} tokens in ${counted(calls, 'call')}${costs.length === 0 ? '' : `, for ${costText(costs)}`}.`}
        valueName="tokens"
        bars={filled(window, points, (startMs) => ({ startMs, value: 0 }))}
      />
    </div>
  );
}
