import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { count } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { Time } from '../text/time.tsx';
import { Badge } from '../ui/badges.tsx';
import { Button } from '../ui/button.tsx';
import { messageOf } from '../ui/problem.ts';
import { localModelId, mendOf, type Mend } from './mend.ts';
import { availabilityQuery } from './queries.ts';

interface NoteProps {
  readonly projectId: string;
  readonly model: string;
  readonly purpose: 'general' | 'judgement' | 'embedding';
  /** Reason that something else gives; shown where the model has none of its own. */
  readonly blockedReason?: string | null;
  /** Opens the choice of another model. */
  readonly onChoose?: () => void;
}

/** Whether a model can be used for a purpose, what it can do, and what mends it if it cannot. */
export function AvailabilityNote({ projectId, model, purpose, blockedReason = null, onChoose }: NoteProps): ReactNode {
  const { data, error } = useQuery(availabilityQuery(projectId, model, purpose));
  if (data === undefined) {
    return <p className="text-xs text-muted">{error === null ? 'The model is being asked.' : messageOf(error)}</p>;
  }
  const { available, reason, resolvedModel, capabilities, checkedAt } = data;
  const mend = reason === null ? undefined : mendOf(reason);
  return (
    <div className="flex flex-col gap-1">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        {available ? <Badge tone="ok">Available</Badge> : <Badge tone="critical">Not available</Badge>}
        {resolvedModel === null || resolvedModel === model ? null : (
          <span className="text-xs text-muted">
            stands for <HostileText className="font-mono" text={resolvedModel} />
          </span>
        )}
        {mend === undefined ? null : <span>{mend.text}</span>}
        {mend === undefined ? null : <MendLink {...{ projectId, model, onChoose }} to={mend.to} act={mend.act} />}
      </p>
      {blockedReason === null || reason !== null ? null : <p className="text-critical">{blockedReason}</p>}
      {capabilities === null ? null : (
        <p className="text-xs text-muted">
          {capabilityNames(capabilities).join(', ')}
          {capabilities.contextLength === null ? '' : `, ${count(capabilities.contextLength)} tokens of context`}
          {checkedAt === null ? null : (
            <>
              {' '}
              · looked at <Time atMs={checkedAt} />
            </>
          )}
        </p>
      )}
    </div>
  );
}

interface Capabilities {
  readonly chat: boolean;
  readonly jsonMode: boolean;
  readonly jsonSchema: boolean;
  readonly tools: boolean;
  readonly judgement: boolean;
  readonly embeddings: boolean;
}

function capabilityNames({ chat, jsonMode, jsonSchema, tools, judgement, embeddings }: Capabilities): string[] {
  const all = [
    [chat, 'chats'],
    [jsonMode, 'answers in JSON'],
    [jsonSchema, 'keeps to a schema'],
    [tools, 'calls tools'],
    [judgement, 'passes the judgement test'],
    [embeddings, 'embeds'],
  ] as const;
  const names = all.filter(([has]) => has).map(([, name]) => name);
  return names.length === 0 ? ['can do none of what Clew needs'] : names;
}

interface MendProps {
  readonly projectId: string;
  readonly model: string;
  readonly to: Mend['to'];
  readonly act: string;
  readonly onChoose: (() => void) | undefined;
}

function MendLink({ projectId, model, to, act, onChoose }: MendProps): ReactNode {
  const modelId = localModelId(model);
  if (to === 'choice') {
    return onChoose === undefined ? null : (
      <Button className="h-6" onPress={onChoose}>
        {act}
      </Button>
    );
  }
  if (to === 'model' && modelId !== undefined) {
    return (
      <Link to="/p/$projectId/models/$modelId" params={{ projectId, modelId }} className="underline">
        {act}
      </Link>
    );
  }
  return (
    <Link
      to="/p/$projectId/models"
      params={{ projectId }}
      search={to === 'providers' ? { tab: to } : {}}
      className="underline"
    >
      {act}
    </Link>
  );
}
