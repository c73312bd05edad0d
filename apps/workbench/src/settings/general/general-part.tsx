import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { BASE, clew } from '../../api/client.ts';
import { meQuery, projectsQuery } from '../../api/queries.ts';
import { may } from '../../api/rights.ts';
import { useChange } from '../../ui/use-change.ts';
import { useEdit } from '../../api/use-edit.ts';
import { Button } from '../../ui/button.tsx';
import { FieldClash } from '../../ui/clash-note.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { fieldErrors } from '../../ui/field-errors.ts';
import { TextField } from '../../ui/fields.tsx';
import { FormProblem } from '../../ui/form-problem.tsx';
import { notify } from '../../ui/notices.tsx';
import { Facts, Panel } from '../../ui/panel.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Time } from '../../text/time.tsx';
import { telemetrySettingsQuery } from '../queries.ts';
import type { PartProps } from '../part-props.ts';
import { scoreDrafts, scoresOf, type ScoreDraft } from './success-scores.ts';

/** Name of the project, and which scores tell that a conversation went well. */
export default function GeneralPart({ projectId }: PartProps): ReactNode {
  const { data: me } = useQuery(meQuery);
  const { data: projects = [] } = useQuery(projectsQuery);
  const settings = useQuery(telemetrySettingsQuery(projectId));
  const project = projects.find(({ id }) => id === projectId);
  const mayChange = me !== undefined && may(me, projectId, 'project:update');
  return (
    <>
      <Panel title="Project">
        <div className="flex flex-col gap-4">
          {mayChange ? <ProjectName key={project?.name} {...{ projectId }} /> : null}
          <Facts
            facts={[
              ...(mayChange ? [] : [['Name', <bdi key="name">{project?.name ?? ''}</bdi>] as const]),
              ['Id', <Id key="id" id={projectId} />],
              ['Made', project === undefined ? '' : <Time key="made" atMs={project.createdAt} />],
              ['Address of the API', <Id key="api" id={BASE} />],
            ]}
          />
        </div>
      </Panel>
      <Panel
        title="Scores that mean success"
        hint="Scores are sent with conversations, as thumbs or a survey. Those named here count as success or failure, for Rules, reviews and Datasets alike. While none is named, all count with their usual meaning."
      >
        <Loaded query={settings} label="The settings are being read" lines={3}>
          {({ successScores }) => (
            <SuccessScores key={JSON.stringify(successScores)} {...{ projectId, successScores, mayChange }} />
          )}
        </Loaded>
      </Panel>
    </>
  );
}

function Id({ id }: { readonly id: string }): ReactNode {
  return (
    <span className="flex items-center gap-1">
      <code className="min-w-0 truncate font-mono text-xs">{id}</code>
      <CopyButton text={id} />
    </span>
  );
}

function ProjectName({ projectId }: { readonly projectId: string }): ReactNode {
  const [typed, setTyped] = useState<string>();
  const edit = useEdit({
    key: ['project', projectId],
    read: () => clew.projects.get(projectId),
    change: (name: string, options) => clew.projects.update(projectId, { name }, options),
    invalidates: [projectsQuery.queryKey],
    onDone: () => notify('The project has its new name'),
  });
  const name = typed ?? edit.thing?.name ?? '';
  return (
    <form
      className="flex max-w-md flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        edit.save(name.trim());
      }}
    >
      <div className="flex items-end gap-2">
        <TextField
          className="flex-1"
          label="Name"
          value={name}
          maxLength={200}
          onChange={setTyped}
          error={fieldErrors(edit.error).get('name')}
        />
        <Button type="submit" isDisabled={edit.isPending || name.trim() === '' || name.trim() === edit.thing?.name}>
          Rename
        </Button>
      </div>
      <FormProblem error={edit.error ?? edit.readError} fields={['name']} />
      <FieldClash clash={edit.clash} />
    </form>
  );
}

interface ScoresProps {
  readonly projectId: string;
  readonly successScores: Api.TelemetrySettings['successScores'];
  readonly mayChange: boolean;
}

function SuccessScores({ projectId, successScores, mayChange }: ScoresProps): ReactNode {
  const [drafts, setDrafts] = useState<readonly ScoreDraft[]>(() => scoreDrafts(successScores));
  const scores = scoresOf(drafts);
  const save = useChange(
    (next: Api.TelemetrySettings['successScores']) =>
      clew.telemetry.settings.update({ successScores: next }, { project: projectId }),
    {
      invalidates: [telemetrySettingsQuery(projectId).queryKey],
      onDone: () => notify('The scores count from now on'),
      onError: () => undefined,
    },
  );
  if (!mayChange && successScores.length === 0) return <p className="text-muted">None is named.</p>;
  const set = (at: number, change: Partial<ScoreDraft>) =>
    setDrafts(drafts.map((draft, index) => (index === at ? { ...draft, ...change } : draft)));
  const isChanged = JSON.stringify(scores) !== JSON.stringify(successScores);
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (scores !== undefined) save.mutate(scores);
      }}
    >
      {drafts.length === 0 ? <p className="text-muted">None is named.</p> : null}
      {drafts.map(({ name, atLeast }, at) => (
        <div key={at} className="flex flex-wrap items-end gap-2">
          <TextField
            label="Score"
            value={name}
            maxLength={200}
            isDisabled={!mayChange}
            onChange={(value) => set(at, { name: value })}
          />
          <TextField
            label="Success from (for numbers)"
            value={atLeast}
            placeholder="0.5"
            isDisabled={!mayChange}
            onChange={(value) => set(at, { atLeast: value })}
            error={Number.isFinite(Number(atLeast)) ? undefined : 'This is no number.'}
          />
          {mayChange ? (
            <Button look="quiet" onPress={() => setDrafts(drafts.filter((_, index) => index !== at))}>
              Leave out
            </Button>
          ) : null}
        </div>
      ))}
      <FormProblem error={save.error} />
      {mayChange ? (
        <div className="flex gap-2">
          <Button onPress={() => setDrafts([...drafts, { name: '', atLeast: '' }])}>Name a score</Button>
          <Button type="submit" look="main" isDisabled={!isChanged || scores === undefined || save.isPending}>
            Save
          </Button>
        </div>
      ) : null}
    </form>
  );
}
