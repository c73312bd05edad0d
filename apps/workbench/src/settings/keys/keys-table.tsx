import { useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from '../../api/client.ts';
import { useChange } from '../../ui/use-change.ts';
import { counted } from '../../text/format.ts';
import { HostileText } from '../../text/hostile-text.tsx';
import { Time } from '../../text/time.tsx';
import { visibleText } from '../../text/visible-text.ts';
import { Badge } from '../../ui/badges.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { CheckField, SelectField } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { notify } from '../../ui/notices.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import { keysQuery } from '../queries.ts';
import { makerText } from './maker.ts';
import { SCOPE_IDS, scopeFacts } from './scopes.ts';

interface KeysTableProps {
  readonly projectId: string;
  readonly keys: readonly Api.ApiKey[];
  readonly onMade: (made: Api.ApiKeySecret) => void;
}

/** Keys with their scopes, last use and end. */
export function KeysTable({ projectId, keys, onMade }: KeysTableProps): ReactNode {
  const columns: TableColumn<Api.ApiKey>[] = [
    {
      id: 'name',
      header: 'Name',
      cell: ({ name, start }) => (
        <>
          <HostileText className="font-medium" text={name} />
          <span className="block font-mono text-xs text-muted">{start}…</span>
        </>
      ),
    },
    { id: 'scopes', header: 'May', cell: ({ scopes }) => <Scopes scopes={scopes} /> },
    {
      id: 'used',
      header: 'Last used',
      className: 'whitespace-nowrap',
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? <Muted>Never</Muted> : <Time atMs={lastUsedAt} />),
    },
    { id: 'end', header: 'Ends', className: 'whitespace-nowrap', cell: (key) => <End apiKey={key} /> },
    {
      id: 'made',
      header: 'Made',
      cell: (key) => (
        <>
          <Time atMs={key.createdAt} />
          <span className="block text-xs text-muted">
            by <HostileText text={makerText(key, keys)} />
          </span>
        </>
      ),
    },
    {
      id: 'deeds',
      header: <span className="sr-only">Deeds</span>,
      className: 'text-right whitespace-nowrap',
      cell: (apiKey) => <KeyDeeds {...{ projectId, apiKey, onMade }} />,
    },
  ];
  return <Table label="API keys" rows={keys} columns={columns} idOf={({ id }) => id} />;
}

function Muted({ children }: { readonly children: ReactNode }): ReactNode {
  return <span className="text-muted">{children}</span>;
}

function Scopes({ scopes }: { readonly scopes: Api.ApiKey['scopes'] }): ReactNode {
  if (scopes.length === SCOPE_IDS.length) return <Badge tone="high">Everything</Badge>;
  return (
    <ul className="flex max-w-72 flex-wrap gap-1">
      {scopes.map((scope) => (
        <li key={scope} title={scope}>
          <Badge tone={scope === 'workspace:admin' ? 'high' : 'info'}>{scopeFacts(scope).meaning}</Badge>
        </li>
      ))}
    </ul>
  );
}

function End({ apiKey: { expiresAt, projectIds } }: { readonly apiKey: Api.ApiKey }): ReactNode {
  return (
    <>
      {expiresAt === null ? <Muted>Never</Muted> : <Time atMs={expiresAt} />}
      {projectIds === 'all' ? <span className="block text-xs text-muted">All projects</span> : null}
      {projectIds !== 'all' && projectIds.length > 1 ? (
        <span className="block text-xs text-muted">{counted(projectIds.length, 'project')}</span>
      ) : null}
    </>
  );
}

interface KeyDeedsProps {
  readonly projectId: string;
  readonly apiKey: Api.ApiKey;
  readonly onMade: (made: Api.ApiKeySecret) => void;
}

function KeyDeeds({ projectId, apiKey, onMade }: KeyDeedsProps): ReactNode {
  const [isRotating, setRotating] = useState(false);
  const [withDescendants, setWithDescendants] = useState(false);
  const name = visibleText(apiKey.name);
  const revoke = useChange(() => clew.apiKeys.revoke(apiKey.id, { withDescendants, project: projectId }), {
    invalidates: [keysQuery(projectId).queryKey],
    onDone: () => notify(`The key “${name}” is revoked`),
  });
  return (
    <span className="inline-flex gap-1">
      <Button look="quiet" aria-label={`Rotate ${name}`} onPress={() => setRotating(true)}>
        Rotate…
      </Button>
      <ConfirmButton
        label="Revoke…"
        title={`Revoke “${name}”?`}
        confirmLabel="Revoke the key"
        isDisabled={revoke.isPending}
        onConfirm={() => revoke.mutate(undefined)}
      >
        <p>Whatever uses it is refused within a second. Nobody can bring the key back.</p>
        <CheckField
          label="Also the keys that it has made or rotated"
          hint="If the secret has leaked, somebody may have made keys with it."
          isChecked={withDescendants}
          onChange={setWithDescendants}
        />
      </ConfirmButton>
      {isRotating ? (
        <RotateDialog
          {...{ projectId, apiKey }}
          onClose={() => setRotating(false)}
          onMade={(made) => {
            setRotating(false);
            onMade(made);
          }}
        />
      ) : null}
    </span>
  );
}

const HOUR_MS = 3_600_000;
const GRACES = [
  { id: '0', label: 'At once' },
  { id: String(HOUR_MS), label: 'After an hour' },
  { id: String(24 * HOUR_MS), label: 'After a day' },
  { id: String(7 * 24 * HOUR_MS), label: 'After a week' },
  { id: String(30 * 24 * HOUR_MS), label: 'After 30 days' },
];

function RotateDialog({ projectId, apiKey, onClose, onMade }: KeyDeedsProps & { onClose: () => void }): ReactNode {
  const [grace, setGrace] = useState(String(24 * HOUR_MS));
  const rotate = useChange(() => clew.apiKeys.rotate(apiKey.id, { graceMs: Number(grace) }, { project: projectId }), {
    invalidates: [keysQuery(projectId).queryKey],
    onDone: onMade,
    onError: () => undefined,
  });
  return (
    <FormDialog
      title={`Rotate “${visibleText(apiKey.name)}”`}
      submitLabel="Make the successor"
      isPending={rotate.isPending}
      error={rotate.error}
      onClose={onClose}
      onSubmit={() => rotate.mutate(undefined)}
    >
      <p>A new key with the same rights is made. Both work until the old one ends.</p>
      <SelectField label="The old key ends" value={grace} onChange={setGrace} options={GRACES} autoFocus />
    </FormDialog>
  );
}
