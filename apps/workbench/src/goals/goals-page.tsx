import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from '../api/client.ts';
import { meQuery } from '../api/queries.ts';
import { may } from '../api/rights.ts';
import { useChange } from '../ui/use-change.ts';
import { KnowledgeTabs } from '../knowledge/knowledge-tabs.tsx';
import { goalsQuery } from '../knowledge/queries.ts';
import { count, sentence } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { Time } from '../text/time.tsx';
import { Badge, type Tone } from '../ui/badges.tsx';
import { Button } from '../ui/button.tsx';
import { CheckField } from '../ui/fields.tsx';
import { ModalDialog } from '../ui/overlay.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { FirstUse, Loaded } from '../ui/states.tsx';
import { Table, type TableColumn } from '../ui/table.tsx';
import { messageOf } from '../ui/problem.ts';
import { backfillText } from './backfill.ts';
import { GoalForm, NEW_GOAL, useGoalFields } from './goal-form.tsx';
import { goalsKey, knowledgeSettingsQuery, runningBackfillsQuery, settingsKey } from './queries.ts';

const route = getRouteApi('/p/$projectId/knowledge/goals');

/** Screen 8: what is to be learned from conversations. */
export function GoalsPage(): ReactNode {
  const { projectId } = route.useParams();
  const { data: me } = useQuery(meQuery);
  const goals = useQuery(goalsQuery(projectId));
  const [isCreating, setCreating] = useState(false);
  const mayWrite = me !== undefined && may(me, projectId, 'project:update');
  const newGoal = mayWrite ? (
    <Button look="main" onPress={() => setCreating(true)}>
      New Learning Goal
    </Button>
  ) : null;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <PageHead title="Learning Goals">{(goals.data ?? []).length > 0 ? newGoal : null}</PageHead>
      <KnowledgeTabs projectId={projectId} />
      <div className="min-h-0 flex-1 overflow-auto">
        <Loaded query={goals} label="Learning Goals are being read">
          {(all) =>
            all.length === 0 ? (
              <FirstUse title="No Learning Goals yet" action={newGoal}>
                A Learning Goal says in plain words what is to be learned from conversations, such as “what we promise
                about delivery”. A model reads each conversation with it, and everything learned keeps the quote that
                says so.
              </FirstUse>
            ) : (
              <div className="flex flex-col gap-6 px-4 py-3">
                <GoalTable {...{ projectId }} goals={all} />
                <Settings {...{ projectId, mayWrite }} />
              </div>
            )
          }
        </Loaded>
      </div>
      {isCreating ? <CreateDialog projectId={projectId} onClose={() => setCreating(false)} /> : null}
    </div>
  );
}

const STATUS_TONES: Readonly<Record<Api.LearningGoal['status'], Tone>> = {
  active: 'ok',
  paused: 'medium',
  archived: 'info',
};

/** Status of a goal, which may be active and still not run. */
export function GoalStatus({ goal }: { readonly goal: Api.LearningGoal }): ReactNode {
  return goal.blockedReason === null ? (
    <Badge tone={STATUS_TONES[goal.status]}>{sentence(goal.status)}</Badge>
  ) : (
    <Badge tone="critical">Does not run</Badge>
  );
}

function GoalTable({ projectId, goals }: { readonly projectId: string; readonly goals: readonly Api.LearningGoal[] }) {
  const running = useQuery(runningBackfillsQuery(projectId)).data ?? [];
  const columns: TableColumn<Api.LearningGoal>[] = [
    {
      id: 'name',
      header: 'Learning Goal',
      className: 'w-2/5',
      cell: ({ id, name, instruction, blockedReason }) => (
        <>
          <Link
            to="/p/$projectId/knowledge/goals/$goalId"
            params={{ projectId, goalId: id }}
            className="font-medium hover:underline"
          >
            <HostileText text={name} />
          </Link>
          <HostileText className="line-clamp-2 text-xs text-muted" text={instruction} />
          {blockedReason === null ? null : <p className="mt-0.5 text-xs text-critical">{blockedReason}</p>}
        </>
      ),
    },
    { id: 'status', header: 'Status', cell: (goal) => <GoalStatus goal={goal} /> },
    { id: 'model', header: 'Model', cell: ({ model }) => <HostileText className="font-mono text-xs" text={model} /> },
    {
      id: 'items',
      header: 'Items',
      className: 'text-right tabular-nums',
      cell: ({ id, counts }) => (
        <Link
          to="/p/$projectId/knowledge"
          params={{ projectId }}
          search={{ goal: id, reviewed: 'all' }}
          className="underline"
        >
          {count(counts.activeItems)}
        </Link>
      ),
    },
    {
      id: 'backfill',
      header: 'Backfill',
      cell: ({ id }) => {
        const own = running.find(({ goalId }) => goalId === id);
        return own === undefined ? <span className="text-muted">–</span> : backfillText(own);
      },
    },
    { id: 'changed', header: 'Changed', className: 'text-muted', cell: ({ updatedAt }) => <Time atMs={updatedAt} /> },
  ];
  return <Table label="Learning Goals" rows={goals} columns={columns} idOf={({ id }) => id} />;
}

function Settings({ projectId, mayWrite }: { readonly projectId: string; readonly mayWrite: boolean }): ReactNode {
  const settings = useQuery(knowledgeSettingsQuery(projectId));
  const change = useChange(
    (extractionEnabled: boolean) => clew.knowledge.settings.update({ extractionEnabled }, { project: projectId }),
    { invalidates: [settingsKey(projectId)] },
  );
  const isOn = change.isPending ? change.variables : settings.data?.extractionEnabled;
  return (
    <section className="max-w-2xl">
      <h2 className="mb-2 text-base font-semibold">Settings</h2>
      {settings.data === undefined ? (
        <p className="text-muted">{settings.error === null ? 'They are being read.' : messageOf(settings.error)}</p>
      ) : (
        <CheckField
          isSwitch
          label="Learn from conversations by itself"
          hint="Each conversation is read once it has ended, for every active goal. Off: only backfills learn."
          isChecked={isOn === true}
          isDisabled={!mayWrite || change.isPending}
          onChange={(on) => change.mutate(on)}
        />
      )}
    </section>
  );
}

function CreateDialog({ projectId, onClose }: { readonly projectId: string; readonly onClose: () => void }): ReactNode {
  const navigate = useNavigate();
  const { fields, setFields, isComplete } = useGoalFields(NEW_GOAL);
  const create = useChange(
    () => {
      const { name, instruction, model, systemPrompt } = fields;
      const body = { name: name.trim(), instruction: instruction.trim(), model, sources: { systemPrompt } };
      return clew.knowledge.goals.create(body, { project: projectId });
    },
    {
      invalidates: [goalsKey(projectId)],
      onDone: ({ id }) =>
        void navigate({ to: '/p/$projectId/knowledge/goals/$goalId', params: { projectId, goalId: id } }),
      onError: () => undefined,
    },
  );
  const submit = () => {
    if (isComplete && !create.isPending) create.mutate(undefined);
  };
  return (
    <ModalDialog
      title="New Learning Goal"
      isOpen
      isWide
      onClose={onClose}
      closeLabel="Cancel"
      actions={
        <Button look="main" isDisabled={!isComplete || create.isPending} onPress={submit}>
          Create
        </Button>
      }
    >
      <GoalForm id="new-goal" {...{ projectId, fields }} onFields={setFields} onSubmit={submit} error={create.error} />
    </ModalDialog>
  );
}
