import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { roleWith } from '../api/rights.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { Time } from '../text/time.tsx';
import { Badge } from '../ui/badges.tsx';
import { problemOf } from '../ui/problem.ts';
import { bytes } from '../runtime/preparation.ts';
import { runtimeQuery } from '../runtime/queries.ts';

/** Room on the node that runs local models. */
export function NodeFacts({ projectId }: { readonly projectId: string }): ReactNode {
  const { data, error } = useQuery(runtimeQuery(projectId));
  if (data === undefined) {
    return error === null ? null : (
      <p role="alert" className="border-b border-line bg-medium-soft px-4 py-2 text-medium">
        {problemOf(error, roleWith).text}
      </p>
    );
  }
  const { status, lastSeenAt, memory, disk, gpus } = data.node;
  return (
    <dl
      aria-label="Node"
      className="flex min-h-9 flex-wrap items-center gap-x-6 gap-y-1 border-b border-line bg-surface px-4 py-1.5 text-xs tabular-nums"
    >
      <div className="flex items-center gap-2">
        <dt className="text-muted">Node</dt>
        <dd>
          {status === 'online' ? <Badge tone="ok">Online</Badge> : <Badge tone="critical">Away</Badge>}
          {status === 'online' || lastSeenAt === null ? null : (
            <span className="ml-2 text-muted">
              last seen <Time atMs={lastSeenAt} />
            </span>
          )}
        </dd>
      </div>
      {disk === null ? null : <Room name="Disk" free={disk.freeBytes} total={disk.totalBytes} />}
      {memory === null ? null : <Room name="Memory" free={memory.availableBytes} total={memory.totalBytes} />}
      <div className="flex gap-2">
        <dt className="text-muted">GPU</dt>
        <dd>
          {gpus.length === 0
            ? 'none'
            : gpus.map(({ name, memoryBytes }, at) => (
                <span key={at}>
                  {at === 0 ? '' : ', '}
                  <HostileText text={name} /> {bytes(memoryBytes)}
                </span>
              ))}
        </dd>
      </div>
    </dl>
  );
}

function Room({ name, free, total }: { readonly name: string; readonly free: number; readonly total: number }) {
  const share = total === 0 ? 0 : 1 - free / total;
  return (
    <div className="flex items-center gap-2">
      <dt className="text-muted">{name}</dt>
      <dd className="flex items-center gap-2">
        <span aria-hidden className="h-1.5 w-16 overflow-hidden rounded-full bg-line">
          <span
            className={`block h-full ${share > 0.9 ? 'bg-critical' : 'bg-accent'}`}
            style={{ width: `${share * 100}%` }}
          />
        </span>
        {bytes(free)} free of {bytes(total)}
      </dd>
    </div>
  );
}
