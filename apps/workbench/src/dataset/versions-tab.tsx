import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { exampleChanges, wholeExample } from '../examples/example-changes.ts';
import { ChangeBadge, PartChanges } from '../examples/part-changes.tsx';
import { inputText } from '../examples/payload-text.ts';
import { versionDiffQuery, versionsQuery } from '../examples/queries.ts';
import { count } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { Time } from '../text/time.tsx';
import { Button } from '../ui/button.tsx';
import { FirstUse, Loaded, withData } from '../ui/states.tsx';
import { Table, type TableColumn } from '../ui/table.tsx';
import type { TabProps } from './tab-props.ts';

/** Versions of a Dataset, and what differs between two of them. */
export default function VersionsTab(props: TabProps): ReactNode {
  const { projectId, dataset, search } = props;
  const list = useInfiniteQuery(versionsQuery(projectId, dataset.id));
  const versions = useMemo(() => list.data?.pages.flatMap(({ data }) => data), [list.data]);
  const { from, to } = search;
  if (from !== undefined && to !== undefined) return <VersionDiff key={`${from} ${to}`} {...props} {...{ from, to }} />;
  return (
    <Loaded query={withData(list, versions)} label="Versions are being read">
      {(all) =>
        all.length === 0 ? (
          <FirstUse title="No versions yet">
            Each change of the Examples makes a version, which stays readable.
          </FirstUse>
        ) : (
          <div className="flex flex-col gap-3 px-4 py-3">
            <VersionTable {...props} versions={all} />
            {list.hasNextPage ? (
              <Button
                className="self-start"
                isDisabled={list.isFetchingNextPage}
                onPress={() => void list.fetchNextPage()}
              >
                Earlier versions
              </Button>
            ) : null}
          </div>
        )
      }
    </Loaded>
  );
}

interface TableProps extends TabProps {
  readonly versions: readonly Api.DatasetVersion[];
}

function VersionTable({ projectId, dataset, onSearch, versions }: TableProps): ReactNode {
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const toggle = (version: number) =>
    setChosen((before) =>
      before.includes(version) ? before.filter((each) => each !== version) : [...before.slice(-1), version],
    );
  const columns: TableColumn<Api.DatasetVersion>[] = [
    {
      id: 'chosen',
      header: <span className="sr-only">Compare</span>,
      className: 'w-8',
      cell: ({ version }) => (
        <input
          type="checkbox"
          aria-label={`Compare version ${version}`}
          className="size-3.5 accent-[var(--accent)]"
          checked={chosen.includes(version)}
          onChange={() => toggle(version)}
        />
      ),
    },
    {
      id: 'version',
      header: 'Version',
      className: 'w-20 text-right tabular-nums',
      cell: ({ version }) => count(version),
    },
    {
      id: 'examples',
      header: 'Examples',
      className: 'w-24 text-right tabular-nums',
      cell: ({ exampleCount }) => count(exampleCount),
    },
    { id: 'made', header: 'Made', className: 'w-32', cell: ({ createdAt }) => <Time atMs={createdAt} /> },
    {
      id: 'change',
      header: 'What it changed',
      cell: ({ version }) =>
        version === 0 ? (
          <span className="text-muted">The empty Dataset</span>
        ) : (
          <Link
            to="/p/$projectId/datasets/$datasetId"
            params={{ projectId, datasetId: dataset.id }}
            search={{ tab: 'versions', from: version - 1, to: version }}
            className="underline"
          >
            Compare with version {version - 1}
          </Link>
        ),
    },
    {
      id: 'content',
      header: 'Content',
      className: 'font-mono text-xs text-muted',
      cell: ({ contentId }) => contentId.slice(0, 20),
    },
  ];
  return (
    <>
      <div className="flex min-h-7 items-center gap-3">
        <p className="text-muted">Choose two versions to compare them, or one of the links.</p>
        <Button
          className="ml-auto"
          isDisabled={chosen.length !== 2}
          onPress={() => onSearch({ tab: 'versions', from: Math.min(...chosen), to: Math.max(...chosen) })}
        >
          Compare the two
        </Button>
      </div>
      <Table label="Versions" rows={versions} columns={columns} idOf={({ version }) => String(version)} />
    </>
  );
}

interface DiffProps extends TabProps {
  readonly from: number;
  readonly to: number;
}

function VersionDiff({ projectId, dataset, onSearch, from, to }: DiffProps): ReactNode {
  const list = useInfiniteQuery(versionDiffQuery(projectId, dataset.id, from, to));
  const changes = useMemo(() => list.data?.pages.flatMap(({ data }) => data), [list.data]);
  const number = (change: Api.VersionChange['change']) =>
    (changes ?? []).filter((each) => each.change === change).length;
  return (
    <div className="flex flex-col gap-3 px-4 py-3">
      <div className="flex min-h-7 flex-wrap items-center gap-3">
        <h2 className="font-semibold">
          Version {from} to {to}
        </h2>
        {changes === undefined ? null : (
          <p aria-live="polite" className="text-muted tabular-nums">
            {number('added')} added, {number('updated')} changed, {number('removed')} removed
            {list.hasNextPage ? ', and more' : ''}
          </p>
        )}
        <Button className="ml-auto" onPress={() => onSearch({ tab: 'versions' })}>
          All versions
        </Button>
      </div>
      <Loaded query={withData(list, changes)} label="The versions are being compared">
        {(all) =>
          all.length === 0 ? (
            <p className="text-muted">Their Examples are the same.</p>
          ) : (
            <ul className="flex flex-col gap-2">
              {all.map((change) => (
                <ChangeItem
                  key={change.exampleId}
                  {...{ projectId, dataset, change, from, to }}
                  isOnly={all.length === 1 && !list.hasNextPage}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
      {list.hasNextPage ? (
        <Button className="self-start" isDisabled={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
          Further changes
        </Button>
      ) : null}
    </div>
  );
}

interface ItemProps extends Pick<TabProps, 'projectId' | 'dataset'> {
  readonly change: Api.VersionChange;
  readonly from: number;
  readonly to: number;
  readonly isOnly: boolean;
}

const SHOWN = 200;

function ChangeItem({ projectId, dataset, change, from, to, isOnly }: ItemProps): ReactNode {
  const { exampleId, before = null, after = null } = change;
  const [isOpen, setOpen] = useState(isOnly);
  const shown = after ?? before;
  const words = shown === null ? '' : inputText(shown.payload.input);
  const isGone = change.change === 'updated' ? before === null || after === null : shown === null;
  return (
    <li className="rounded-lg border border-line bg-surface">
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="flex items-center gap-2.5 px-3 py-2 -outline-offset-2">
          <ChangeBadge change={change.change} />
          <span className="min-w-0 flex-1 truncate">
            {words === '' ? (
              <span className="font-mono text-xs">{exampleId}</span>
            ) : (
              <HostileText text={words.slice(0, SHOWN)} />
            )}
          </span>
          <span className="text-xs text-muted tabular-nums">version {change.version}</span>
        </summary>
        {isOpen ? (
          <div className="flex flex-col gap-3 border-t border-line px-3 py-3">
            {isGone ? (
              <p className="text-muted">Its content has been erased from one of the versions.</p>
            ) : (
              <PartChanges changes={partsOf(change)} beforeLabel={`Version ${from}`} afterLabel={`Version ${to}`} />
            )}
            <p className="text-xs">
              <Link
                to="/p/$projectId/datasets/$datasetId/examples/$exampleId"
                params={{ projectId, datasetId: dataset.id, exampleId }}
                search={{ version: change.change === 'removed' ? from : to }}
                className="underline"
              >
                Open the Example
              </Link>
            </p>
          </div>
        ) : null}
      </details>
    </li>
  );
}

function partsOf({ before = null, after = null }: Api.VersionChange) {
  if (before !== null && after !== null) return exampleChanges(before, after);
  if (after !== null) return wholeExample(after, 'added');
  return before === null ? [] : wholeExample(before, 'removed');
}
