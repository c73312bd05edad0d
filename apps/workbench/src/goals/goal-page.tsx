import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { PreconditionFailedError, type Api } from '@clew/sdk';
import { clew } from '../api/client.ts';
import { meQuery } from '../api/queries.ts';
import { may } from '../api/rights.ts';
import { useChange } from '../ui/use-change.ts';
import { useCommands } from '../commands/use-commands.ts';
import { AvailabilityNote } from '../models/availability-note.tsx';
import { count } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { Time } from '../text/time.tsx';
import { Button } from '../ui/button.tsx';
import { ClashNote } from '../ui/clash-note.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { ModalDialog } from '../ui/overlay.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { Section } from '../ui/section.tsx';
import { Loaded } from '../ui/states.tsx';
import { UpLink } from '../ui/up-link.tsx';
import { waitingText } from './backfill.ts';
import { Backfills } from './backfills.tsx';
import { fieldsOf, GoalForm, useGoalFields } from './goal-form.tsx';
import { GoalStatus } from './goals-page.tsx';
import { backfillsKey, goalQuery, goalsKey } from './queries.ts';

const route = getRouteApi('/p/$projectId/knowledge/goals/$goalId');

/** Screen 8: one Learning Goal, with its backfills. */
export function GoalPage(): ReactNode {
  const { projectId, goalId } = route.useParams();
  const goal = useQuery(goalQuery(projectId, goalId));
  return (
    <Loaded query={goal} title="Learning Goal" label="The Learning Goal is being read">
      {(data) => <GoalView key={goalId} projectId={projectId} goal={data} />}
    </Loaded>
  );
}

interface ViewProps {
  readonly projectId: string;
  readonly goal: Api.LearningGoal;
}

function GoalView({ projectId, goal }: ViewProps): ReactNode {
  const { data: me } = useQuery(meQuery);
  const [isEditing, setEditing] = useState(false);
  const mayWrite = me !== undefined && may(me, projectId, 'project:update');
  useCommands({ 'page.up': () => history.back() });
  return (
    <>
      <PageHead
        title={goal.name}
        trail={<UpLink to="/p/$projectId/knowledge/goals" params={{ projectId }} label="To the Learning Goals" />}
      >
        {mayWrite ? <StatusButtons {...{ projectId, goal }} /> : null}
        {mayWrite ? <Button onPress={() => setEditing(true)}>Edit</Button> : null}
      </PageHead>
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 pb-2.5 text-xs text-muted">
        <GoalStatus goal={goal} />
        <Link
          to="/p/$projectId/knowledge"
          params={{ projectId }}
          search={{ goal: goal.id, reviewed: 'all' }}
          className="underline"
        >
          {count(goal.counts.activeItems)} active items
        </Link>
        <span>{count(goal.counts.archivedItems)} archived</span>
        <span>
          changed <Time atMs={goal.updatedAt} />
        </span>
      </div>
      <div className="flex min-h-0 flex-1 overflow-auto max-lg:flex-col lg:overflow-hidden">
        <div className="min-w-0 flex-1 lg:overflow-auto">
          <Backfills {...{ projectId, goal, mayWrite }} />
        </div>
        <aside
          aria-label="About the goal"
          tabIndex={0}
          className="shrink-0 border-line -outline-offset-2 max-lg:border-t lg:w-96 lg:overflow-auto lg:border-l"
        >
          <Section title="What is to be learned">
            <div className="hostile">
              <HostileText text={goal.instruction} />
            </div>
          </Section>
          <Section title="Model">
            <HostileText className="mb-1 block font-mono text-xs" text={goal.model} />
            <AvailabilityNote
              {...{ projectId }}
              model={goal.model}
              blockedReason={goal.blockedReason}
              purpose="general"
              onChoose={mayWrite ? () => setEditing(true) : undefined}
            />
            {goal.waiting === undefined ? null : (
              <p className="mt-1.5 text-medium">
                {waitingText(goal.waiting)}, since <Time atMs={goal.waiting.since} />.
              </p>
            )}
          </Section>
          <Section title="Sources">
            {goal.sources.systemPrompt
              ? 'What people and tools say, and the system prompts, which count as policies.'
              : 'What people and tools say. System prompts teach nothing.'}
          </Section>
        </aside>
      </div>
      {isEditing ? <EditDialog {...{ projectId, goal }} onClose={() => setEditing(false)} /> : null}
    </>
  );
}

function StatusButtons({ projectId, goal }: ViewProps): ReactNode {
  const change = useChange(
    (status: Api.LearningGoal['status']) => clew.knowledge.goals.update(goal.id, { status }, { project: projectId }),
    { invalidates: [goalsKey(projectId), backfillsKey(projectId)] },
  );
  const isPending = change.isPending;
  return (
    <>
      {goal.status === 'active' ? (
        <Button isDisabled={isPending} onPress={() => change.mutate('paused')}>
          Pause
        </Button>
      ) : (
        <Button isDisabled={isPending} onPress={() => change.mutate('active')}>
          {goal.status === 'paused' ? 'Go on' : 'Make active again'}
        </Button>
      )}
      {goal.status === 'archived' ? null : (
        <ConfirmButton
          label="Archive"
          title="Archive this Learning Goal"
          confirmLabel="Archive"
          isDisabled={isPending}
          onConfirm={() => change.mutate('archived')}
        >
          Nothing more is learned for it, and its running backfills are cancelled. What it has learned stays.
        </ConfirmButton>
      )}
    </>
  );
}

function EditDialog({ projectId, goal, onClose }: ViewProps & { readonly onClose: () => void }): ReactNode {
  const [base, setBase] = useState(goal);
  const { fields, setFields, isComplete } = useGoalFields(fieldsOf(goal));
  const isOther =
    goal.updatedAt !== base.updatedAt && JSON.stringify(fieldsOf(goal)) !== JSON.stringify(fieldsOf(base));
  const save = useChange(
    async () => {
      const { name, instruction, model, systemPrompt } = fields;
      const { data, etag } = await clew.knowledge.goals.get(goal.id, { project: projectId }).withResponse();
      if (JSON.stringify(fieldsOf(data)) !== JSON.stringify(fieldsOf(base))) throw new Error(CHANGED);
      const body = { name: name.trim(), instruction: instruction.trim(), model, sources: { systemPrompt } };
      return await clew.knowledge.goals.update(goal.id, body, { project: projectId, ifMatch: etag });
    },
    { invalidates: [goalsKey(projectId)], onDone: onClose, onError: () => undefined },
  );
  const error = save.error instanceof PreconditionFailedError ? new Error(CHANGED) : save.error;
  const submit = () => {
    if (isComplete && !save.isPending) save.mutate(undefined);
  };
  return (
    <ModalDialog
      title="Edit the Learning Goal"
      isOpen
      isWide
      onClose={onClose}
      closeLabel="Cancel"
      actions={
        <Button look="main" isDisabled={!isComplete || save.isPending} onPress={submit}>
          Save
        </Button>
      }
    >
      <GoalForm
        id="edit-goal"
        {...{ projectId, fields }}
        error={error?.message === CHANGED ? null : error}
        onFields={setFields}
        onSubmit={submit}
      />
      {isOther || error?.message === CHANGED ? (
        <div className="mt-3">
          <ClashNote
            thing="the Learning Goal"
            mineLabel="Go on with my draft"
            onMine={() => {
              setBase(goal);
              save.reset();
            }}
          >
            <p>It is now:</p>
            <p className="hostile">
              <HostileText text={`${goal.name}\n${goal.instruction}\n${goal.model}`} />
            </p>
          </ClashNote>
        </div>
      ) : null}
    </ModalDialog>
  );
}

const CHANGED = 'Somebody else has changed it meanwhile. What you wrote is kept.';
