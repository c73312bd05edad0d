import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from '../../api/client.ts';
import { projectsQuery } from '../../api/queries.ts';
import { useChange } from '../../ui/use-change.ts';
import { HostileText } from '../../text/hostile-text.tsx';
import { Time } from '../../text/time.tsx';
import { visibleText } from '../../text/visible-text.ts';
import { Badge } from '../../ui/badges.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { fieldErrors } from '../../ui/field-errors.ts';
import { TextField } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { notify } from '../../ui/notices.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import type { PartProps } from '../part-props.ts';

/** Projects of the workspace. */
export default function ProjectsPart({ projectId }: PartProps): ReactNode {
  const projects = useQuery(projectsQuery);
  const [isMaking, setMaking] = useState(false);
  const columns: TableColumn<Api.Project>[] = [
    {
      id: 'name',
      header: 'Name',
      cell: ({ id, name }) => (
        <span className="flex items-center gap-1.5">
          <Link to="/p/$projectId" params={{ projectId: id }} className="font-medium hover:underline">
            <HostileText text={name} />
          </Link>
          {id === projectId ? <Badge tone="info">Open</Badge> : null}
        </span>
      ),
    },
    {
      id: 'id',
      header: 'Id',
      className: 'whitespace-nowrap',
      cell: ({ id }) => (
        <>
          <code className="font-mono text-xs">{id}</code> <CopyButton text={id} />
        </>
      ),
    },
    { id: 'made', header: 'Made', cell: ({ createdAt }) => <Time atMs={createdAt} /> },
    {
      id: 'deeds',
      header: <span className="sr-only">Deeds</span>,
      className: 'text-right',
      cell: (project) => <DeleteProject project={project} isOpen={project.id === projectId} />,
    },
  ];
  return (
    <Panel
      title="Projects"
      hint="A project holds the conversations of one product, with all that is made of them."
      aside={
        <Button look="main" onPress={() => setMaking(true)}>
          New project
        </Button>
      }
    >
      <Loaded query={projects} label="Projects are being read" lines={4}>
        {(all) => <Table label="Projects" rows={all} columns={columns} idOf={({ id }) => id} />}
      </Loaded>
      {isMaking ? <NewProjectDialog onClose={() => setMaking(false)} /> : null}
    </Panel>
  );
}

function NewProjectDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const create = useChange(() => clew.projects.create({ name: name.trim() }), {
    invalidates: [projectsQuery.queryKey],
    onDone: ({ id }) => {
      onClose();
      notify(
        <>
          The project is made.{' '}
          <button
            type="button"
            className="underline"
            onClick={() => void navigate({ to: '/p/$projectId', params: { projectId: id } })}
          >
            Open it
          </button>
        </>,
      );
    },
    onError: () => undefined,
  });
  return (
    <FormDialog
      {...{ onClose }}
      title="New project"
      submitLabel="Make the project"
      fields={['name']}
      isPending={create.isPending}
      isIncomplete={name.trim() === ''}
      error={create.error}
      onSubmit={() => create.mutate(undefined)}
    >
      <TextField
        label="Name"
        autoFocus
        maxLength={200}
        value={name}
        onChange={setName}
        error={fieldErrors(create.error).get('name')}
      />
    </FormDialog>
  );
}

interface DeleteProjectProps {
  readonly project: Api.Project;
  readonly isOpen: boolean;
}

function DeleteProject({ project: { id, name }, isOpen }: DeleteProjectProps): ReactNode {
  const navigate = useNavigate();
  const remove = useChange(() => clew.projects.delete(id), {
    invalidates: [projectsQuery.queryKey],
    onDone: ({ erasureId }) => {
      notify(
        <>
          It is being deleted. Receipt <code className="font-mono text-xs">{erasureId}</code>
        </>,
      );
      if (isOpen) void navigate({ to: '/' });
    },
  });
  return (
    <ConfirmButton
      label="Delete…"
      title={`Delete “${visibleText(name)}”?`}
      confirmLabel="Delete for good"
      typed={id}
      isDisabled={remove.isPending}
      onConfirm={() => remove.mutate(undefined)}
    >
      Its keys stop working at once. Its conversations, Findings, Knowledge and Datasets are then removed everywhere.
      Nobody can bring them back.
    </ConfirmButton>
  );
}
