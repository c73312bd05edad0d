import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from '../api/client.ts';
import { useChange } from '../ui/use-change.ts';
import { counted, duration } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { Badge } from '../ui/badges.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { FirstUse, Loaded } from '../ui/states.tsx';
import { AvailabilityNote } from './availability-note.tsx';
import { ProviderDialog } from './provider-dialog.tsx';
import { providersQuery } from './queries.ts';
import { modelsKey } from '../runtime/queries.ts';

interface ProvidersProps {
  readonly projectId: string;
  readonly mayManage: boolean;
}

/** Providers whose models the project may call. */
export function Providers({ projectId, mayManage }: ProvidersProps): ReactNode {
  const providers = useQuery(providersQuery(projectId));
  const [editing, setEditing] = useState<Api.Provider | 'new'>();
  const add = mayManage ? (
    <Button look={providers.data?.length === 0 ? 'main' : 'plain'} onPress={() => setEditing('new')}>
      Add a provider
    </Button>
  ) : null;
  return (
    <div className="min-h-0 flex-1 overflow-auto px-4 py-3">
      <Loaded query={providers} label="Providers are being read">
        {(all) =>
          all.length === 0 ? (
            <FirstUse title="No providers yet" action={add}>
              A provider is anything that speaks the API of OpenAI: a vendor, or a server of your own. Its key is stored
              encrypted and never shown again.
            </FirstUse>
          ) : (
            <div className="flex max-w-4xl flex-col gap-2.5">
              <div className="flex justify-end">{add}</div>
              {all.map((provider) => (
                <ProviderCard
                  key={provider.name}
                  {...{ projectId, provider, mayManage }}
                  onEdit={() => setEditing(provider)}
                />
              ))}
            </div>
          )
        }
      </Loaded>
      {editing === undefined ? null : (
        <ProviderDialog
          projectId={projectId}
          provider={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      )}
    </div>
  );
}

interface CardProps extends ProvidersProps {
  readonly provider: Api.Provider;
  readonly onEdit: () => void;
}

function ProviderCard({ projectId, provider, mayManage, onEdit }: CardProps): ReactNode {
  const { name, baseUrl, hasApiKey, prices } = provider;
  const test = useChange(() => clew.providers.test(name, { project: projectId }), {
    invalidates: [[...modelsKey(projectId), 'availability']],
  });
  const remove = useChange(() => clew.providers.delete(name, { project: projectId }), {
    invalidates: [[...modelsKey(projectId)]],
  });
  return (
    <article aria-label={name} className="rounded-md border border-line bg-surface px-3 py-2.5">
      <div className="flex min-h-7 flex-wrap items-center gap-2">
        <h2 className="text-base font-semibold">
          <HostileText text={name} />
        </h2>
        <HostileText className="truncate font-mono text-xs text-muted" text={baseUrl} />
        {hasApiKey ? <Badge tone="info">Has a key</Badge> : <Badge tone="medium">Without a key</Badge>}
        {mayManage ? (
          <span className="ml-auto flex gap-1.5">
            <Button isDisabled={test.isPending} onPress={() => test.mutate(undefined)}>
              {test.isPending ? 'Testing' : 'Test'}
            </Button>
            <Button onPress={onEdit}>Edit</Button>
            <ConfirmButton
              label="Remove"
              title={`Remove ${name}`}
              confirmLabel="Remove"
              onConfirm={() => remove.mutate(undefined)}
            >
              Calls to its models are refused from then on, and goals that use them stop.
            </ConfirmButton>
          </span>
        ) : null}
      </div>
      {prices.length === 0 ? null : (
        <ul aria-label="Prices" className="mt-1 text-xs text-muted">
          {prices.map(({ model, inputPerMillionTokens, outputPerMillionTokens, currency }) => (
            <li key={model}>
              <HostileText className="font-mono text-ink" text={model} />: {inputPerMillionTokens} in,{' '}
              {outputPerMillionTokens} out, {currency} a million tokens
            </li>
          ))}
        </ul>
      )}
      {test.data === undefined ? null : <TestResult projectId={projectId} result={test.data} />}
    </article>
  );
}

const SHOWN = 12;

function TestResult({ projectId, result }: { readonly projectId: string; readonly result: Api.ProviderTest }) {
  const [asked, setAsked] = useState<string>();
  const { ok, latencyMs, reason, models } = result;
  return (
    <div role="status" className="mt-2 border-t border-line pt-2">
      <p>
        {ok ? <Badge tone="ok">Answers</Badge> : <Badge tone="critical">Does not answer</Badge>}{' '}
        <span className="text-muted">
          after {duration(latencyMs)}
          {models.length === 0 ? '' : `, with ${counted(models.length, 'model')}`}
        </span>
      </p>
      {reason === null ? null : <HostileText className="mt-1 block text-critical" text={reason} />}
      {models.length === 0 ? null : (
        <>
          <p className="mt-1.5 mb-1 text-xs text-muted">Press one to see what it can do:</p>
          <ul className="flex flex-wrap gap-1">
            {models.slice(0, SHOWN).map((model) => (
              <li key={model}>
                <Button
                  className={`h-6 font-mono text-xs ${asked === model ? 'border-accent text-accent' : ''}`}
                  onPress={() => setAsked(model)}
                >
                  <HostileText text={model} />
                </Button>
              </li>
            ))}
            {models.length > SHOWN ? (
              <li className="self-center text-xs text-muted">and {models.length - SHOWN} more</li>
            ) : null}
          </ul>
        </>
      )}
      {asked === undefined ? null : (
        <div className="mt-2">
          <AvailabilityNote projectId={projectId} model={asked} purpose="general" />
        </div>
      )}
    </div>
  );
}
