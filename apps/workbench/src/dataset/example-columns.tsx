import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { inputText, outputText, splitOf, withoutSplits } from '../examples/payload-text.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { Time } from '../text/time.tsx';
import { visibleText } from '../text/visible-text.ts';
import { Badge } from '../ui/badges.tsx';
import type { GridColumn } from '../ui/grid.tsx';

const SHOWN = 160;
const SHOWN_TAGS = 3;

export const SOURCE_LABELS: Readonly<Record<Api.Example['source']['kind'], string>> = {
  manual: 'By hand',
  conversation: 'Conversation',
  import: 'Import',
  synthetic: 'Written by a model',
};

/** Columns of the list of Examples. */
export function exampleColumns(projectId: string): GridColumn<Api.Example>[] {
  return [
    {
      id: 'input',
      header: 'Input, last words of the user',
      track: 'minmax(14rem, 3fr)',
      cell: (example) => <Input {...{ projectId, example }} />,
    },
    {
      id: 'expected',
      header: 'Expected',
      track: 'minmax(10rem, 2fr)',
      cell: ({ payload }) => <Words text={outputText(payload.expectedOutput)} none="none yet" />,
    },
    {
      id: 'rejected',
      header: 'Rejected',
      track: 'minmax(8rem, 1.5fr)',
      cell: ({ payload }) => <Words text={outputText(payload.rejectedOutput)} none="–" />,
    },
    { id: 'tags', header: 'Tags', track: 'minmax(7rem, 1fr)', cell: ({ tags }) => <Tags tags={withoutSplits(tags)} /> },
    { id: 'source', header: 'Source', track: '8.5rem', cell: ({ source }) => SOURCE_LABELS[source.kind] },
    {
      id: 'split',
      header: 'Split',
      track: '5rem',
      cell: ({ tags }) => splitOf(tags) ?? <span className="text-muted">–</span>,
    },
    {
      id: 'changed',
      header: 'Changed',
      track: '5.5rem',
      className: 'text-right text-muted tabular-nums',
      cell: ({ updatedAt }) => <Time atMs={updatedAt} />,
    },
  ];
}

/** Words by which one knows an Example. */
export function exampleName({ id, payload }: Pick<Api.Example, 'id' | 'payload'>): string {
  const text = visibleText(inputText(payload.input).slice(0, SHOWN));
  return text === '' ? id : text;
}

function Input({ projectId, example }: { readonly projectId: string; readonly example: Api.Example }): ReactNode {
  const text = inputText(example.payload.input);
  return (
    <Link
      to="/p/$projectId/datasets/$datasetId/examples/$exampleId"
      params={{ projectId, datasetId: example.datasetId, exampleId: example.id }}
      tabIndex={-1}
      title={visibleText(text.slice(0, SHOWN))}
      className="block truncate font-medium hover:underline"
    >
      {text === '' ? <span className="text-muted">without words</span> : <HostileText text={text.slice(0, SHOWN)} />}
    </Link>
  );
}

function Words({ text, none }: { readonly text: string; readonly none: string }): ReactNode {
  if (text === '') return <span className="text-muted">{none}</span>;
  return <HostileText text={text.slice(0, SHOWN)} />;
}

function Tags({ tags }: { readonly tags: readonly string[] }): ReactNode {
  if (tags.length === 0) return <span className="text-muted">–</span>;
  return (
    <span className="flex gap-1 overflow-hidden" title={tags.map(visibleText).join(', ')}>
      {tags.slice(0, SHOWN_TAGS).map((tag) => (
        <Badge key={tag} tone={tag === 'stale' ? 'medium' : 'info'}>
          <span className="max-w-24 truncate">
            <HostileText text={tag} />
          </span>
        </Badge>
      ))}
      {tags.length > SHOWN_TAGS ? <span className="text-xs text-muted">+{tags.length - SHOWN_TAGS}</span> : null}
    </span>
  );
}
