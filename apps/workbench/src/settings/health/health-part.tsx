import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { meQuery, signalsQuery } from '../../api/queries.ts';
import { count, duration } from '../../text/format.ts';
import { HostileText } from '../../text/hostile-text.tsx';
import { Time } from '../../text/time.tsx';
import { Badge, type Tone } from '../../ui/badges.tsx';
import { Button } from '../../ui/button.tsx';
import { Facts, Panel } from '../../ui/panel.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import type { PartProps } from '../part-props.ts';
import { figuresText, healthLines, type HealthLine } from './figures.ts';

const TONES: Readonly<Record<HealthLine['status'], Tone>> = {
  ok: 'ok',
  bad: 'critical',
  unknown: 'medium',
  not_mounted: 'info',
};
const LABELS: Readonly<Record<HealthLine['status'], string>> = {
  ok: 'Gets done',
  bad: 'Behind',
  unknown: 'Not known',
  not_mounted: 'Not here',
};

function Status({ status }: { readonly status: HealthLine['status'] }): ReactNode {
  return <Badge tone={TONES[status]}>{LABELS[status]}</Badge>;
}

const SIGNALS: TableColumn<HealthLine>[] = [
  {
    id: 'name',
    header: 'Work',
    cell: ({ name, meaning }) => (
      <>
        <span className="font-medium">{name}</span>
        <span className="block text-xs text-muted">{meaning}</span>
      </>
    ),
  },
  { id: 'status', header: 'State', cell: ({ status }) => <Status status={status} /> },
  {
    id: 'figures',
    header: 'Figures',
    cell: ({ figures, lastRunAt, reason }) => (
      <>
        {figuresText(figures)}
        {lastRunAt === undefined || lastRunAt === null ? null : (
          <span className="block text-xs text-muted">
            Last run <Time atMs={lastRunAt} />
          </span>
        )}
        {reason === null ? null : <HostileText className="block text-critical" text={reason} />}
      </>
    ),
  },
];

type Queue = Api.QueueProcessingSignal['queues'][number];

const NUMBER = 'text-right tabular-nums';
const QUEUES: TableColumn<Queue>[] = [
  {
    id: 'queue',
    header: 'Queue',
    cell: ({ queue, reason }) => (
      <>
        <code className="font-mono text-xs">{queue}</code>
        {reason === null ? null : <HostileText className="block text-critical" text={reason} />}
      </>
    ),
  },
  { id: 'status', header: 'State', cell: ({ status }) => <Status status={status} /> },
  { id: 'depth', header: 'Waits', className: NUMBER, cell: ({ depth }) => figure(depth) },
  {
    id: 'age',
    header: 'The first for',
    className: NUMBER,
    cell: ({ oldestAgeMs, depth }) => (oldestAgeMs === undefined || depth === 0 ? '–' : duration(oldestAgeMs)),
  },
  { id: 'dead', header: 'Given up', className: NUMBER, cell: ({ deadLetters }) => figure(deadLetters) },
  { id: 'consumers', header: 'Consumers', className: NUMBER, cell: ({ consumers }) => figure(consumers) },
];

function figure(value: number | undefined): string {
  return value === undefined ? '–' : count(value);
}

/** Whether the work of the deployment gets done, with figures. */
export default function HealthPart({ projectId }: PartProps): ReactNode {
  const signals = useQuery(signalsQuery(projectId));
  const { data: me } = useQuery(meQuery);
  return (
    <Loaded query={signals} label="The signals are being read" lines={7}>
      {({ signals: data }) => (
        <>
          <Panel
            title="Signals"
            hint="Each says whether work gets done in time. They are read again every minute."
            aside={
              <Button look="quiet" onPress={() => void signals.refetch()}>
                Read again
              </Button>
            }
          >
            <Table label="Signals" rows={healthLines(data)} columns={SIGNALS} idOf={({ name }) => name} />
          </Panel>
          {data.queueProcessing.queues.length === 0 ? null : (
            <Panel title="Queues">
              <Table label="Queues" rows={data.queueProcessing.queues} columns={QUEUES} idOf={({ queue }) => queue} />
            </Panel>
          )}
          {me === undefined ? null : (
            <Panel title="This deployment">
              <Facts
                facts={[
                  ['Version', me.version],
                  ['Diagnostic Rules', me.features.rules ? 'Are run' : 'Are not run here'],
                  ['Work items', me.features.workItems ? 'Are there' : 'Are not there'],
                  ['Local models', me.features.modelRuntime ? 'Are there' : 'Are not there'],
                  ['Mail', me.features.mail ? 'Is sent' : 'Is not sent'],
                ]}
              />
            </Panel>
          )}
        </>
      )}
    </Loaded>
  );
}
