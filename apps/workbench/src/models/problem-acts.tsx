import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { clew } from '../api/client.ts';
import { useChange } from '../ui/use-change.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { HubToken } from './hub-token.tsx';
import { actOf, bytes } from '../runtime/preparation.ts';
import { modelsKey, runtimeQuery } from '../runtime/queries.ts';

interface ProblemProps {
  readonly projectId: string;
  readonly code: string;
  readonly message: string;
  readonly mayManage: boolean;
}

/** Problem of the node, with the act that mends it. */
export function ProblemActs({ projectId, code, message, mayManage }: ProblemProps): ReactNode {
  const act = actOf(code);
  return (
    <div role="alert" className="mt-3 rounded-md border border-critical bg-critical-soft px-3 py-2.5">
      <p className="text-critical">
        <HostileText text={message} /> <span className="font-mono text-xs">{code}</span>
      </p>
      {mayManage && act === 'free-disk' ? <Removable projectId={projectId} /> : null}
      {mayManage && act === 'free-memory' ? <Stoppable projectId={projectId} /> : null}
      {mayManage && act === 'token' ? (
        <div className="mt-2">
          <p className="mb-2">Accept the terms of the model on the hub, then give a token of that account.</p>
          <HubToken projectId={projectId} />
        </div>
      ) : null}
    </div>
  );
}

function Removable({ projectId }: { readonly projectId: string }): ReactNode {
  const { data: runtime } = useQuery(runtimeQuery(projectId));
  const remove = useChange(
    ({ modelId, profileId }: { modelId: string; profileId: string }) =>
      clew.models.profiles.remove(modelId, profileId, { project: projectId }),
    { invalidates: [[...modelsKey(projectId)]] },
  );
  const there = (runtime?.downloads ?? []).filter(({ state }) => state === 'completed');
  if (there.length === 0) return <p className="mt-1.5">The project has nothing on the node that could be removed.</p>;
  return (
    <ul aria-label="What can be removed" className="mt-2 flex flex-col gap-1">
      <li>Removing one of these makes room:</li>
      {there.map(({ modelId, profileId, bytesTotal }) => (
        <li key={`${modelId} ${profileId}`} className="flex items-center gap-2">
          <Link to="/p/$projectId/models/$modelId" params={{ projectId, modelId }} className="underline">
            <HostileText text={modelId} />
          </Link>
          <span className="text-xs">
            {profileId}
            {bytesTotal === null ? '' : `, ${bytes(bytesTotal)}`}
          </span>
          <ConfirmButton
            label="Remove"
            title={`Remove ${modelId}`}
            confirmLabel="Remove"
            isDisabled={remove.isPending}
            onConfirm={() => remove.mutate({ modelId, profileId })}
          >
            Its service is stopped and its files are removed from the node.
          </ConfirmButton>
        </li>
      ))}
    </ul>
  );
}

function Stoppable({ projectId }: { readonly projectId: string }): ReactNode {
  const { data: runtime } = useQuery(runtimeQuery(projectId));
  const stop = useChange(
    ({ modelId, profileId }: { modelId: string; profileId: string }) =>
      clew.models.services.stop(modelId, profileId, { project: projectId }),
    { invalidates: [[...modelsKey(projectId), 'runtime']] },
  );
  const running = (runtime?.services ?? []).filter(({ state }) => state === 'ready' || state === 'starting');
  if (running.length === 0) return <p className="mt-1.5">The project runs no other model that could be stopped.</p>;
  return (
    <ul aria-label="What can be stopped" className="mt-2 flex flex-col gap-1">
      <li>Stopping one of these makes room:</li>
      {running.map(({ modelId, profileId }) => (
        <li key={`${modelId} ${profileId}`} className="flex items-center gap-2">
          <HostileText text={modelId} />
          <Button isDisabled={stop.isPending} onPress={() => stop.mutate({ modelId, profileId })}>
            Stop
          </Button>
        </li>
      ))}
    </ul>
  );
}
