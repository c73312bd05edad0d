import { useMemo, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { duration } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { Grid, type GridColumn } from '../ui/grid.tsx';
import { useListPlace } from '../ui/list-place.ts';
import { cx } from '../ui/cx.ts';
import { stepsOf, type Step } from './steps.ts';

interface StepsProps {
  readonly conversation: Api.Conversation;
  readonly onStep: (index: number) => void;
}

const COLOURS: Readonly<Record<Step['kind'], string>> = {
  user: 'bg-low',
  model: 'bg-accent',
  tool: 'bg-medium',
  system: 'bg-info',
};

const COLUMNS: GridColumn<Step>[] = [
  {
    id: 'index',
    header: 'Step',
    track: '3rem',
    className: 'text-right text-muted tabular-nums',
    cell: ({ index }) => index + 1,
  },
  { id: 'kind', header: 'Kind', track: '4.5rem', cell: ({ kind }) => <span className="capitalize">{kind}</span> },
  {
    id: 'label',
    header: 'Step',
    track: 'minmax(10rem, 2fr)',
    cell: ({ label, hasFailed }) => <HostileText className={cx(hasFailed && 'text-critical')} text={label} />,
  },
  { id: 'time', header: 'Time', track: 'minmax(8rem, 2fr)', cell: (step) => <TimeBar step={step} /> },
  {
    id: 'duration',
    header: 'Length',
    track: '5rem',
    className: 'text-right tabular-nums',
    cell: ({ durationMs }) => (durationMs === undefined ? '–' : duration(durationMs)),
  },
];

/** Steps of a conversation, with their time as width. */
export function StepsView({ conversation, onStep }: StepsProps): ReactNode {
  const steps = useMemo(() => stepsOf(conversation.messages), [conversation.messages]);
  const place = useListPlace(`steps ${conversation.id}`, []);
  return (
    <Grid
      label="Steps"
      rows={steps}
      columns={COLUMNS}
      idOf={({ index }) => String(index)}
      state={place.state}
      onState={place.setState}
      total={steps.length}
      isMoreComing={false}
      onNearEnd={undefined}
      rowHeight={30}
      onOpen={({ index }) => onStep(index)}
    />
  );
}

function TimeBar({ step: { start, length, kind, hasFailed } }: { readonly step: Step }): ReactNode {
  return (
    <span aria-hidden className="relative block h-3">
      <span
        className={cx('absolute inset-y-0 min-w-[3px] rounded-sm', hasFailed ? 'bg-critical' : COLOURS[kind])}
        style={{ left: `${Math.min(start, 0.99) * 100}%`, width: `${length * 100}%` }}
      />
    </span>
  );
}
