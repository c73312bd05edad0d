import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { clew } from '../api/client.ts';
import { meQuery, projectsQuery } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { notifyError } from '../ui/notices.tsx';
import { FirstUse, Loaded } from '../ui/states.tsx';

/** Page of somebody to whom no project is open. */
export function NoProject(): ReactNode {
  const me = useQuery(meQuery);
  return (
    <Loaded query={me} label="The page is being read">
      {({ owner }) =>
        owner === true ? (
          <FirstUse title="Make the first project" action={<NewProject />}>
            A project holds the conversations of one product, with all that is made of them.
          </FirstUse>
        ) : (
          <FirstUse title="No project is open to you">
            An admin of a project, or an owner of the workspace, can add you to one.
          </FirstUse>
        )
      }
    </Loaded>
  );
}

function NewProject(): ReactNode {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const create = useMutation({
    mutationFn: () => clew.projects.create({ name: name.trim() }),
    onSuccess: async ({ id }) => {
      await client.invalidateQueries(projectsQuery);
      await navigate({ to: '/p/$projectId', params: { projectId: id } });
    },
    onError: notifyError,
  });
  return (
    <form
      className="flex gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate();
      }}
    >
      <input
        required
        aria-label="Name of the project"
        placeholder="Name"
        maxLength={200}
        value={name}
        className="h-7 rounded-md border border-line-strong bg-surface px-2"
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button type="submit" look="main" isDisabled={name.trim() === '' || create.isPending}>
        Make it
      </Button>
    </form>
  );
}
