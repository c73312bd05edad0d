import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ExternalLink } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from '../api/client.ts';
import { connectorsQuery, findingQuery, findingsKey } from '../api/queries.ts';
import { safeExternalUrl } from '../text/external-url.ts';
import { sentence } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { Time } from '../text/time.tsx';
import { Badge, type Tone } from '../ui/badges.tsx';
import { Button, CommandButton, Keys } from '../ui/button.tsx';
import { notify, notifyError } from '../ui/notices.tsx';
import { ModalDialog } from '../ui/overlay.tsx';
import { Loaded } from '../ui/states.tsx';

interface BlockProps {
  readonly projectId: string;
  readonly finding: Api.Finding;
  readonly mayWrite: boolean;
}

const SYNC_TONES: Readonly<Record<Api.WorkItem['syncState'], Tone>> = {
  pending: 'medium',
  synced: 'ok',
  error: 'critical',
};
const SYNC_LABELS: Readonly<Record<Api.WorkItem['syncState'], string>> = {
  pending: 'Being synchronized',
  synced: 'In step',
  error: 'Not synchronized',
};

/** Work item of a Finding: the issue with which its repair was handed over, or the way to make one. */
export function WorkItemBlock(props: BlockProps): ReactNode {
  const { finding, mayWrite } = props;
  if (finding.workItem !== null) return <WorkItemFacts {...props} workItem={finding.workItem} />;
  return mayWrite ? <HandOver {...props} /> : <p className="text-muted">There is none.</p>;
}

interface FactsProps extends BlockProps {
  readonly workItem: Api.WorkItem;
}

function WorkItemFacts({ projectId, finding, workItem, mayWrite }: FactsProps): ReactNode {
  const { provider, externalKey, externalUrl, status, doneReason, syncState, syncError, lastSyncedAt } = workItem;
  const href = safeExternalUrl(externalUrl);
  const name = externalKey ?? `${sentence(provider)} issue`;
  return (
    <div className="flex flex-col gap-1.5">
      <p className="flex items-center gap-2">
        {href === undefined ? (
          <HostileText className="font-medium" text={name} />
        ) : (
          <a
            href={href}
            target="_blank"
            rel="noopener noreferrer nofollow"
            className="inline-flex items-center gap-1 font-medium underline"
          >
            <HostileText text={name} />
            <ExternalLink aria-hidden className="size-3" />
          </a>
        )}
        <span className="text-muted">{href === undefined ? provider : new URL(href).host}</span>
      </p>
      <p className="flex flex-wrap items-center gap-1.5">
        <Badge tone={status === 'done' ? 'ok' : 'low'}>
          {sentence(status)}
          {doneReason === null ? '' : `, ${doneReason.replaceAll('_', ' ')}`}
        </Badge>
        <Badge tone={SYNC_TONES[syncState]}>{SYNC_LABELS[syncState]}</Badge>
        {lastSyncedAt === null ? null : <Time atMs={lastSyncedAt} className="text-xs text-muted" />}
      </p>
      {syncError === null ? null : (
        <p className="text-critical">
          <HostileText text={syncError} />
        </p>
      )}
      {mayWrite ? <WorkItemDeeds {...{ projectId, finding, workItem }} /> : null}
    </div>
  );
}

function WorkItemDeeds({ projectId, finding, workItem }: Omit<FactsProps, 'mayWrite'>): ReactNode {
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const deed = useMutation({
    mutationFn: async (verb: 'sync' | 'retry' | 'abandon') => {
      await clew.workItems[verb](finding.id, workItem.id, { project: projectId });
    },
    onSuccess: () => client.invalidateQueries({ queryKey: findingsKey(projectId) }),
    onError: notifyError,
  });
  const failed = workItem.status === 'provisioning' && workItem.syncState === 'error';
  return (
    <div className="flex gap-1.5">
      {failed ? (
        <CommandButton command="finding.work-item" isDisabled={deed.isPending} onPress={() => deed.mutate('retry')}>
          Try again
        </CommandButton>
      ) : (
        <CommandButton command="finding.work-item" isDisabled={deed.isPending} onPress={() => deed.mutate('sync')}>
          Synchronize
        </CommandButton>
      )}
      <Button look="quiet" isDisabled={deed.isPending} onPress={() => setAsking(true)}>
        Detach
      </Button>
      <ModalDialog
        title="Detach the work item?"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        closeLabel="Keep it"
        actions={
          <Button
            look="danger"
            onPress={() => {
              setAsking(false);
              deed.mutate('abandon');
            }}
          >
            Detach
          </Button>
        }
      >
        The issue stays as it is. The Finding no longer follows it.
      </ModalDialog>
    </div>
  );
}

function HandOver({ projectId, finding }: BlockProps): ReactNode {
  const connectors = useQuery(connectorsQuery(projectId));
  const [isOpen, setOpen] = useState(false);
  return (
    <Loaded query={connectors} label="Connectors are being read" lines={1}>
      {(all) => {
        const enabled = all.filter(({ enabled: is }) => is);
        if (enabled.length === 0) {
          return (
            <p className="text-muted">
              No issue tracker is connected.{' '}
              <Link
                to="/p/$projectId/settings/$part"
                params={{ projectId, part: 'connectors' }}
                className="text-ink underline"
              >
                Connect one
              </Link>
            </p>
          );
        }
        return (
          <>
            <CommandButton command="finding.work-item" onPress={() => setOpen(true)}>
              Hand over <Keys command="finding.work-item" />
            </CommandButton>
            <HandOverDialog {...{ projectId, finding, isOpen }} connectors={enabled} onClose={() => setOpen(false)} />
          </>
        );
      }}
    </Loaded>
  );
}

interface DialogProps {
  readonly projectId: string;
  readonly finding: Api.Finding;
  readonly connectors: readonly Api.Connector[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

function HandOverDialog({ projectId, finding, connectors, isOpen, onClose }: DialogProps): ReactNode {
  const client = useQueryClient();
  const first = connectors.find(({ isDefault }) => isDefault) ?? connectors[0];
  const [connectorId, setConnectorId] = useState(first?.id ?? '');
  const [existing, setExisting] = useState('');
  const chosen = connectors.find(({ id }) => id === connectorId);
  const create = useMutation({
    mutationFn: ({ provider, id }: Api.Connector) => {
      const issue = existing.trim();
      const body = { provider, connectorId: id, ...(issue === '' ? {} : { existing: issue }) };
      return clew.workItems.create(finding.id, body, { project: projectId });
    },
    onSuccess: async () => {
      onClose();
      notify('The issue is being made; the Finding is confirmed');
      await client.invalidateQueries(findingQuery(projectId, finding.id));
    },
    onError: notifyError,
  });
  return (
    <ModalDialog
      title="Hand over to an issue tracker"
      isOpen={isOpen}
      onClose={onClose}
      closeLabel="Cancel"
      actions={
        <Button
          look="main"
          isDisabled={chosen === undefined || create.isPending}
          onPress={() => {
            if (chosen !== undefined) create.mutate(chosen);
          }}
        >
          {existing.trim() === '' ? 'Make the issue' : 'Take the issue over'}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <label className="flex flex-col gap-1 font-medium">
          Connector
          <select
            value={connectorId}
            className="h-8 rounded-md border border-line-strong bg-surface px-2 font-normal"
            onChange={(event) => setConnectorId(event.currentTarget.value)}
          >
            {connectors.map(({ id, provider, name }) => (
              <option key={id} value={id}>
                {name === null ? sentence(provider) : `${name} (${provider})`}
              </option>
            ))}
          </select>
        </label>
        <p className="text-muted">
          {chosen?.defaultDestination == null
            ? 'It has no default destination: name an issue that exists.'
            : `The issue goes to ${Object.values(chosen.defaultDestination).map(String).join(' / ')}.`}
        </p>
        <label className="flex flex-col gap-1 font-medium">
          Issue that exists already, if there is one
          <input
            value={existing}
            maxLength={2_000}
            placeholder="Address or key"
            className="h-8 rounded-md border border-line-strong bg-surface px-2 font-normal placeholder:text-muted"
            onChange={(event) => setExisting(event.currentTarget.value)}
          />
        </label>
      </div>
    </ModalDialog>
  );
}
