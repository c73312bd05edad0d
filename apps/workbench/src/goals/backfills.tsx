import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from '../api/client.ts';
import { conversationCountQuery } from '../api/queries.ts';
import { useChange } from '../ui/use-change.ts';
import { count, countAtLeast, DAY, fullTime, MINUTE, sentence, shortDay } from '../text/format.ts';
import { Time } from '../text/time.tsx';
import { Badge, type Tone } from '../ui/badges.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { fieldErrors } from '../ui/field-errors.ts';
import { TextField } from '../ui/fields.tsx';
import { FormError } from '../ui/form-error.tsx';
import { ModalDialog } from '../ui/overlay.tsx';
import { Progress } from '../ui/progress.tsx';
import { FirstUse, Loaded, withData } from '../ui/states.tsx';
import {
  backfillOf,
  backfillShare,
  backfillText,
  fieldTime,
  isUnderWay,
  rejectionRows,
  waitingText,
} from './backfill.ts';
import { backfillsKey, backfillsQuery, goalsKey } from './queries.ts';

interface BackfillsProps {
  readonly projectId: string;
  readonly goal: Api.LearningGoal;
  readonly mayWrite: boolean;
}

/** Readings of earlier conversations, the newest first. */
export function Backfills({ projectId, goal, mayWrite }: BackfillsProps): ReactNode {
  const list = useInfiniteQuery(backfillsQuery(projectId, goal.id));
  const [isOpen, setOpen] = useState(false);
  const backfills = list.data?.pages.flatMap(({ data }) => data);
  const begin = mayWrite ? (
    <Button
      look={backfills?.length === 0 ? 'main' : 'plain'}
      isDisabled={goal.status !== 'active'}
      onPress={() => setOpen(true)}
    >
      Learn from earlier conversations
    </Button>
  ) : null;
  return (
    <section className="px-4 py-3">
      <div className="mb-2 flex min-h-7 items-center gap-2">
        <h2 className="text-base font-semibold">Backfills</h2>
        <span className="ml-auto">{(backfills ?? []).length > 0 ? begin : null}</span>
      </div>
      <Loaded query={withData(list, backfills)} label="Backfills are being read" lines={3}>
        {(all) =>
          all.length === 0 ? (
            <FirstUse title="Nothing was learned from earlier conversations" action={begin}>
              New conversations are read by themselves, unless that is switched off. A backfill reads those of a time
              that has passed.
            </FirstUse>
          ) : (
            <ol className="flex flex-col gap-2.5">
              {all.map((backfill) => (
                <BackfillCard key={backfill.backfillId} {...{ projectId, backfill, mayWrite }} />
              ))}
              {list.hasNextPage ? <Button onPress={() => void list.fetchNextPage()}>Earlier ones</Button> : null}
            </ol>
          )
        }
      </Loaded>
      {isOpen ? <BackfillDialog {...{ projectId, goal }} onClose={() => setOpen(false)} /> : null}
    </section>
  );
}

const TONES: Readonly<Record<Api.KnowledgeBackfill['state'], Tone>> = {
  scheduled: 'low',
  running: 'low',
  completed: 'ok',
  failed: 'critical',
  cancelled: 'info',
};

interface CardProps {
  readonly projectId: string;
  readonly backfill: Api.KnowledgeBackfill;
  readonly mayWrite: boolean;
}

function BackfillCard({ projectId, backfill, mayWrite }: CardProps): ReactNode {
  const { state, startMs, endMs, maxConversations, failureReason, waiting, createdAt, endedAt } = backfill;
  const cancel = useChange(
    () => clew.knowledge.backfills.cancel(backfill.goalId, backfill.backfillId, { project: projectId }),
    { invalidates: [backfillsKey(projectId)] },
  );
  return (
    <li className="rounded-md border border-line bg-surface px-3 py-2.5">
      <div className="flex min-h-7 flex-wrap items-center gap-2">
        <Badge tone={TONES[state]}>{sentence(state)}</Badge>
        <span className="font-medium" title={`${fullTime(startMs)} – ${fullTime(endMs)}`}>
          {shortDay(startMs)} – {shortDay(endMs)}
        </span>
        <span className="text-xs text-muted">
          at most {count(maxConversations)} · {endedAt === null ? 'began' : 'ended'}{' '}
          <Time atMs={endedAt ?? createdAt} />
        </span>
        {mayWrite && isUnderWay(backfill) ? (
          <span className="ml-auto">
            <ConfirmButton
              label="Cancel"
              title="Cancel the backfill"
              confirmLabel="Cancel it"
              isDisabled={cancel.isPending}
              onConfirm={() => cancel.mutate(undefined)}
            >
              What it has learned so far stays.
            </ConfirmButton>
          </span>
        ) : null}
      </div>
      {isUnderWay(backfill) ? (
        <div className="my-1.5">
          <Progress label="Conversations read" share={backfillShare(backfill)} />
        </div>
      ) : null}
      <p aria-live="polite" className="text-sm">
        {backfillText(backfill)}
      </p>
      <dl className="mt-1.5 flex flex-wrap gap-x-6 gap-y-1 tabular-nums">
        <Figure name="Created" value={backfill.itemsCreated} />
        <Figure name="Merged" value={backfill.itemsMerged} />
        <Figure name="Rejected" value={backfill.rejectedQuotes} />
      </dl>
      {backfill.rejectedQuotes === 0 ? null : (
        <details className="mt-1.5 text-sm">
          <summary className="text-xs text-muted">Why statements were rejected</summary>
          <ul className="mt-1">
            {rejectionRows(backfill).map(({ reason, label, count: many }) => (
              <li key={reason} className="flex gap-2">
                <span className="w-10 text-right tabular-nums">{count(many)}</span> {label}
              </li>
            ))}
          </ul>
        </details>
      )}
      {failureReason === null ? null : <p className="mt-1.5 text-critical">{failureReason}</p>}
      {waiting === undefined || !isUnderWay(backfill) ? null : (
        <p className="mt-1.5 text-xs text-medium">
          {waitingText(waiting)}, since <Time atMs={waiting.since} />.
        </p>
      )}
    </li>
  );
}

function Figure({ name, value }: { readonly name: string; readonly value: number }): ReactNode {
  return (
    <div className="flex items-baseline gap-1.5">
      <dd className="order-first font-semibold">{count(value)}</dd>
      <dt className="text-xs text-muted">{name.toLowerCase()}</dt>
    </div>
  );
}

const FIRST_DAYS = 30;
const FIRST_MAX = '10000';

interface DialogProps {
  readonly projectId: string;
  readonly goal: Api.LearningGoal;
  readonly onClose: () => void;
}

function BackfillDialog({ projectId, goal, onClose }: DialogProps): ReactNode {
  const [fields, setFields] = useState(() => ({
    from: fieldTime(Date.now() - FIRST_DAYS * DAY),
    // The field has no seconds, and what was said in this minute counts.
    to: fieldTime(Date.now() + MINUTE),
    max: FIRST_MAX,
  }));
  const checked = backfillOf(fields);
  const body = 'body' in checked ? checked.body : undefined;
  const errors = 'errors' in checked ? checked.errors : {};
  const begin = useChange(
    (request: NonNullable<typeof body>) => clew.knowledge.backfills.create(goal.id, request, { project: projectId }),
    { invalidates: [backfillsKey(projectId), goalsKey(projectId)], onDone: onClose, onError: () => undefined },
  );
  const refused = fieldErrors(begin.error);
  return (
    <ModalDialog
      title="Learn from earlier conversations"
      isOpen
      onClose={onClose}
      closeLabel="Cancel"
      actions={
        <Button
          look="main"
          isDisabled={body === undefined || begin.isPending}
          onPress={() => {
            if (body !== undefined) begin.mutate(body);
          }}
        >
          Begin
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <div className="grid grid-cols-2 gap-3">
          <TextField
            label="From"
            type="datetime-local"
            value={fields.from}
            error={errors.from ?? refused.get('startMs')}
            onChange={(from) => setFields({ ...fields, from })}
          />
          <TextField
            label="To"
            type="datetime-local"
            value={fields.to}
            error={errors.to ?? refused.get('endMs')}
            onChange={(to) => setFields({ ...fields, to })}
          />
        </div>
        <TextField
          label="At most so many conversations"
          type="number"
          min={1}
          max={100_000}
          value={fields.max}
          error={errors.max ?? refused.get('maxConversations')}
          hint="Each is read by the model, which costs tokens."
          onChange={(max) => setFields({ ...fields, max })}
        />
        {body === undefined ? null : <Estimate projectId={projectId} startMs={body.startMs} endMs={body.endMs} />}
        <FormError error={begin.error} taken={refused.size > 0} />
      </div>
    </ModalDialog>
  );
}

interface EstimateProps {
  readonly projectId: string;
  readonly startMs: number;
  readonly endMs: number;
}

function Estimate({ projectId, startMs, endMs }: EstimateProps): ReactNode {
  const window = { startedAfter: startMs, startedBefore: endMs, state: 'ready' as const, by: 'state' };
  const { data } = useQuery(conversationCountQuery(projectId, window));
  if (data === undefined) return null;
  const { count: total, atLeast } = data.total;
  return (
    <p role="status" className="text-sm text-muted">
      {total === 0
        ? 'No conversation began and ended in this time.'
        : `${countAtLeast(total, atLeast)} conversations that have ended began in this time.`}
    </p>
  );
}
