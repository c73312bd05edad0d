import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { ApiError, type Api } from '@clew/sdk';
import { clew } from '../api/client.ts';
import { meQuery } from '../api/queries.ts';
import { may } from '../api/rights.ts';
import { useChange } from '../ui/use-change.ts';
import { useCommands } from '../commands/use-commands.ts';
import { count, sentence } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { Badge } from '../ui/badges.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { messageOf } from '../ui/problem.ts';
import { Loaded } from '../ui/states.tsx';
import { Table, type TableColumn } from '../ui/table.tsx';
import { UpLink } from '../ui/up-link.tsx';
import { NodeFacts } from './node-facts.tsx';
import { bytes, fitOf, preparationOf, sizeOf } from '../runtime/preparation.ts';
import { PreparationCard } from './preparation-card.tsx';
import { ProblemActs } from './problem-acts.tsx';
import { modelQuery } from './queries.ts';
import { modelsKey, runtimeQuery } from '../runtime/queries.ts';

const route = getRouteApi('/p/$projectId/models/$modelId');

/** Screen 12: one model, from the catalog to an answer. */
export function ModelPage(): ReactNode {
  const { projectId, modelId } = route.useParams();
  const model = useQuery(modelQuery(projectId, modelId));
  return (
    <Loaded query={model} title="Model" label="The model is being read">
      {(data) => <ModelView key={modelId} projectId={projectId} model={data} />}
    </Loaded>
  );
}

interface ViewProps {
  readonly projectId: string;
  readonly model: Api.ModelDetail;
}

function ModelView({ projectId, model }: ViewProps): ReactNode {
  const { data: me } = useQuery(meQuery);
  const { data: runtime } = useQuery(runtimeQuery(projectId));
  const used = runtime?.services.find(({ modelId }) => modelId === model.id)?.profileId;
  const [chosenId, setChosenId] = useState<string>();
  const mayManage = me !== undefined && may(me, projectId, 'project:models:manage');
  const shownId = chosenId ?? used ?? model.selectedProfileId ?? model.profiles[0]?.id;
  const profile = model.profiles.find(({ id }) => id === shownId);
  useCommands({ 'page.up': () => history.back() });
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <PageHead
        title={model.name}
        trail={<UpLink to="/p/$projectId/models" params={{ projectId }} label="To the catalog" />}
      >
        <Link
          to="/p/$projectId/models/chat"
          params={{ projectId }}
          search={{ model: `self/${model.id}` }}
          className={buttonClass()}
        >
          Chat
        </Link>
      </PageHead>
      <NodeFacts projectId={projectId} />
      <div className="flex min-h-0 flex-1 flex-col gap-5 overflow-auto px-4 py-4">
        <Facts model={model} />
        {model.origin === 'discovered' && mayManage ? <Import {...{ projectId, model }} /> : null}
        {profile === undefined ? (
          <p className="text-muted">
            {model.origin === 'discovered'
              ? 'Its profiles are known once it is imported.'
              : 'It has no profile that runs here.'}
          </p>
        ) : (
          <PreparationCard key={profile.id} {...{ projectId, model, profile, mayManage }} />
        )}
        <section>
          <h2 className="mb-1 text-base font-semibold">Profiles</h2>
          <Profiles {...{ model, runtime, shownId }} onChoose={setChosenId} />
        </section>
      </div>
    </div>
  );
}

/** Button that takes a model of the hub into the catalog of the project. */
function Import({ projectId, model }: ViewProps): ReactNode {
  const take = useChange((repoId: string) => clew.models.import({ repoId }, { project: projectId }), {
    invalidates: [[...modelsKey(projectId)]],
    onError: () => undefined,
  });
  const { repoId } = model;
  if (repoId === null) return null;
  return (
    <div>
      <Button look="main" isDisabled={take.isPending} onPress={() => take.mutate(repoId)}>
        Import from the hub
      </Button>
      {take.error === null ? null : (
        <ProblemActs
          {...{ projectId }}
          mayManage
          code={take.error instanceof ApiError ? take.error.code : 'UNKNOWN'}
          message={messageOf(take.error)}
        />
      )}
    </div>
  );
}

function Facts({ model }: { readonly model: Api.ModelDetail }): ReactNode {
  const { description, category, license, gated, repoId, contextLength, downloads } = model;
  return (
    <div className="max-w-3xl">
      <div className="hostile text-base">
        <HostileText text={description} />
      </div>
      <p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted">
        <Badge tone="info">{sentence(category)}</Badge>
        <span>
          Licence <HostileText className="text-ink" text={license ?? 'not known'} />
        </span>
        {gated ? <Badge tone="medium">Gated: the hub asks for its terms to be accepted</Badge> : null}
        {contextLength === null ? null : <span>{count(contextLength)} tokens of context</span>}
        {repoId === null ? null : <HostileText className="font-mono" text={repoId} />}
        {downloads === null ? null : <span>{count(downloads)} downloads on the hub</span>}
      </p>
    </div>
  );
}

interface ProfilesProps {
  readonly model: Api.ModelDetail;
  readonly runtime: Api.RuntimeSnapshot | undefined;
  readonly shownId: string | undefined;
  readonly onChoose: (profileId: string) => void;
}

function Profiles({ model, runtime, shownId, onChoose }: ProfilesProps): ReactNode {
  const columns: TableColumn<Api.ModelProfile>[] = [
    {
      id: 'choice',
      header: 'Profile',
      cell: ({ id }) => (
        <label className="flex items-center gap-2 font-mono text-xs">
          <input
            type="radio"
            name="profile"
            checked={id === shownId}
            className="accent-[var(--accent)]"
            onChange={() => onChoose(id)}
          />
          <HostileText text={id} />
          {id === model.selectedProfileId ? <Badge tone="info">suits most</Badge> : null}
        </label>
      ),
    },
    { id: 'format', header: 'Format', cell: ({ format }) => format },
    { id: 'quantisation', header: 'Quantisation', cell: ({ quantization }) => quantization ?? '–' },
    { id: 'engine', header: 'Engine', cell: ({ engine }) => engine },
    {
      id: 'size',
      header: 'Download',
      className: 'text-right tabular-nums',
      cell: ({ files }) => sizeText(sizeOf(files)),
    },
    {
      id: 'memory',
      header: 'Memory',
      className: 'text-right tabular-nums',
      cell: ({ memoryEstimateBytes }) => sizeText(memoryEstimateBytes),
    },
    {
      id: 'fit',
      header: 'On this node',
      cell: (profile) => {
        if (runtime === undefined) return '–';
        const { fits, text } = fitOf(profile, runtime.node);
        return <span className={fits ? '' : 'text-critical'}>{text}</span>;
      },
    },
    {
      id: 'state',
      header: 'State',
      cell: (profile) => (runtime === undefined ? '–' : stateText(preparationOf(profile, runtime))),
    },
  ];
  return <Table label="Profiles" rows={model.profiles} columns={columns} idOf={({ id }) => id} />;
}

function sizeText(size: number | null): string {
  return size === null ? '–' : bytes(size);
}

function stateText({ isReady, isWorking, failed, steps }: ReturnType<typeof preparationOf>): ReactNode {
  if (isReady) return <Badge tone="ok">Running</Badge>;
  if (isWorking) return <Badge tone="low">Being made ready</Badge>;
  if (failed !== undefined) return <Badge tone="critical">Failed</Badge>;
  return steps.find(({ id }) => id === 'download')?.state === 'done' ? <Badge tone="info">Installed</Badge> : '–';
}
