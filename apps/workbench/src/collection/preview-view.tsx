import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from '../api/client.ts';
import { counted } from '../text/format.ts';
import { Badge, type Tone } from '../ui/badges.tsx';
import { Loaded } from '../ui/states.tsx';
import { Table, type TableColumn } from '../ui/table.tsx';
import { previewSummary, type PreviewedSubject } from './preview-summary.ts';
import { reasonText } from './words.ts';

interface PreviewProps {
  readonly projectId: string;
  readonly datasetId: string;
  /** Revision of the policy; another one asks again. */
  readonly revision: string;
}

const WOULD: Readonly<Record<PreviewedSubject['would'], { readonly label: string; readonly tone: Tone }>> = {
  collect: { label: 'Would be taken', tone: 'ok' },
  synthesize: { label: 'Would be written by a model', tone: 'low' },
  skip: { label: 'Would be left out', tone: 'info' },
};

/** Shows what a Dataset would collect of the latest conversations or Knowledge items; nothing is stored. */
export function CollectionPreview({ projectId, datasetId, revision }: PreviewProps): ReactNode {
  const preview = useQuery({
    queryKey: ['datasets', projectId, 'preview', datasetId, revision],
    queryFn: ({ signal }) => clew.datasets.collection.preview(datasetId, {}, { project: projectId, signal }),
    staleTime: Infinity,
  });
  return (
    <Loaded query={preview} label="The latest conversations are being looked at" lines={4}>
      {(data) => <PreviewResult projectId={projectId} preview={data} />}
    </Loaded>
  );
}

function PreviewResult({
  projectId,
  preview,
}: {
  readonly projectId: string;
  readonly preview: Api.CollectionPreview;
}) {
  const { subjects, noun, groups } = previewSummary(preview);
  if (subjects.length === 0) {
    return <p className="text-muted">There is nothing to look at yet. It begins with what comes.</p>;
  }
  const columns: TableColumn<PreviewedSubject>[] = [
    {
      id: 'would',
      header: 'Outcome',
      className: 'w-56',
      cell: ({ would }) => <Badge tone={WOULD[would].tone}>{WOULD[would].label}</Badge>,
    },
    { id: 'because', header: 'Because', cell: ({ because }) => reasonText(because) },
    {
      id: 'subject',
      header: noun === 'conversation' ? 'Conversation' : 'Knowledge item',
      className: 'font-mono text-xs',
      cell: ({ id }) =>
        noun === 'conversation' ? (
          <Link
            to="/p/$projectId/conversations/$conversationId"
            params={{ projectId, conversationId: id }}
            className="underline"
          >
            <bdi>{id}</bdi>
          </Link>
        ) : (
          <bdi>{id}</bdi>
        ),
    },
  ];
  return (
    <div className="flex flex-col gap-2">
      <p>
        Of the latest {counted(subjects.length, noun)}:{' '}
        {groups.map(({ would, number }) => `${number} ${WOULD[would].label.toLowerCase()}`).join(', ')}.
      </p>
      <div className="max-h-72 overflow-auto">
        <Table label="What would be collected" rows={subjects} columns={columns} idOf={({ id }) => id} />
      </div>
    </div>
  );
}
