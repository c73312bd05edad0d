import { useInfiniteQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from '../api/client.ts';
import { useChange } from '../ui/use-change.ts';
import { sentence, shortDay } from '../text/format.ts';
import { Time } from '../text/time.tsx';
import { Badge, type Tone } from '../ui/badges.tsx';
import { Button } from '../ui/button.tsx';
import { SelectField, TextField } from '../ui/fields.tsx';
import { fieldErrors } from '../ui/field-errors.ts';
import { FormProblem } from '../ui/form-problem.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { Panel } from '../ui/panel.tsx';
import { Progress } from '../ui/progress.tsx';
import { Loaded } from '../ui/states.tsx';
import { backfillText, isRunning, lastDays, MAX_CONVERSATIONS, SPANS } from './backfill.ts';
import { backfillsQuery } from './queries.ts';

interface BackfillsProps {
  readonly projectId: string;
  readonly rule: Api.Rule;
  readonly mayWrite: boolean;
}

/** Runs of a Rule over earlier conversations. */
export function Backfills({ projectId, rule, mayWrite }: BackfillsProps): ReactNode {
  const backfills = useInfiniteQuery(backfillsQuery(projectId, rule.ruleId));
  return (
    <Panel
      title="Earlier conversations"
      hint="A backfill runs the Rule over conversations that have ended before, as it is configured now."
    >
      {mayWrite ? <BackfillForm {...{ projectId, rule }} /> : null}
      <Loaded
        query={{ ...backfills, data: backfills.data?.pages.flatMap(({ data }) => data) }}
        label="Backfills are being read"
        lines={2}
      >
        {(all) =>
          all.length === 0 ? (
            <p className="text-muted">There was no backfill yet.</p>
          ) : (
            <ul className="divide-y divide-line">
              {all.map((backfill) => (
                <Backfill key={backfill.backfillId} {...{ projectId, backfill, mayWrite }} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <LoadMore {...backfills} />
    </Panel>
  );
}

function BackfillForm({ projectId, rule: { ruleId, enabled } }: Omit<BackfillsProps, 'mayWrite'>): ReactNode {
  const [days, setDays] = useState('7');
  const [most, setMost] = useState('10000');
  const number = Number(most);
  const isWrong = !Number.isInteger(number) || number < 1 || number > MAX_CONVERSATIONS;
  const create = useChange(
    () =>
      clew.rules.backfills.create(
        ruleId,
        { ...lastDays(days, Date.now()), maxConversations: number },
        { project: projectId },
      ),
    { invalidates: [backfillsQuery(projectId, ruleId).queryKey], onError: () => undefined },
  );
  return (
    <form
      className="mb-3 flex flex-col gap-2 border-b border-line pb-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isWrong) create.mutate(undefined);
      }}
    >
      <div className="flex flex-wrap items-start gap-3">
        <SelectField label="Conversations of" value={days} onChange={setDays} options={SPANS} />
        <TextField
          label="At most"
          type="number"
          min={1}
          max={MAX_CONVERSATIONS}
          value={most}
          onChange={setMost}
          error={isWrong ? 'From 1 to 100,000.' : fieldErrors(create.error).get('maxConversations')}
        />
        <Button type="submit" className="mt-6.5" isDisabled={!enabled || isWrong || create.isPending}>
          Run over them
        </Button>
      </div>
      {enabled ? null : <p className="text-muted">The Rule is off. Switch it on first.</p>}
      <FormProblem error={create.error} fields={['maxConversations']} />
    </form>
  );
}

const TONES: Readonly<Record<Api.RuleBackfill['state'], Tone>> = {
  scheduled: 'low',
  running: 'low',
  completed: 'ok',
  cancelled: 'info',
  failed: 'critical',
};

interface BackfillProps {
  readonly projectId: string;
  readonly backfill: Api.RuleBackfill;
  readonly mayWrite: boolean;
}

function Backfill({ projectId, backfill, mayWrite }: BackfillProps): ReactNode {
  const { backfillId, ruleId, state, startMs, endMs, createdAt, conversationsSeen, maxConversations } = backfill;
  const cancel = useChange(() => clew.rules.backfills.cancel(backfillId, { project: projectId }), {
    invalidates: [backfillsQuery(projectId, ruleId).queryKey],
  });
  return (
    <li className="py-2">
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone={TONES[state]}>{sentence(state)}</Badge>
        <span>
          {shortDay(startMs)} to {shortDay(endMs)}
        </span>
        <span className="text-muted tabular-nums" aria-live="polite">
          {backfillText(backfill)}
        </span>
        <Time atMs={createdAt} className="text-xs text-muted" />
        {mayWrite && isRunning(backfill) ? (
          <Button
            look="quiet"
            className="ml-auto"
            isDisabled={cancel.isPending}
            onPress={() => cancel.mutate(undefined)}
          >
            Cancel
          </Button>
        ) : null}
      </div>
      {isRunning(backfill) ? (
        <Progress
          label="Progress of the backfill"
          share={state === 'scheduled' ? undefined : conversationsSeen / maxConversations}
        />
      ) : null}
    </li>
  );
}
