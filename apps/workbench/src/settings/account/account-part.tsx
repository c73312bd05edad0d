import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { BASE, clew } from '../../api/client.ts';
import { meQuery, projectsQuery } from '../../api/queries.ts';
import { useChange } from '../../ui/use-change.ts';
import { sentence } from '../../text/format.ts';
import { HostileText } from '../../text/hostile-text.tsx';
import { Time } from '../../text/time.tsx';
import { Badge } from '../../ui/badges.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { fieldErrors } from '../../ui/field-errors.ts';
import { TextField } from '../../ui/fields.tsx';
import { FormProblem } from '../../ui/form-problem.tsx';
import { notify } from '../../ui/notices.tsx';
import { Facts, Panel } from '../../ui/panel.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import { sessionsQuery, signInMethodsQuery } from '../queries.ts';
import { agentText } from './user-agent.ts';

/** One's own name, roles and sessions. */
export default function AccountPart(): ReactNode {
  const me = useQuery(meQuery);
  const { data: methods } = useQuery(signInMethodsQuery);
  return (
    <>
      <Panel
        title="You"
        aside={
          methods?.password === false ? undefined : (
            <a href={new URL('password', BASE).href} className={buttonClass()}>
              Change the password
            </a>
          )
        }
      >
        <Loaded query={me} label="Your account is being read" lines={3}>
          {(person) => <Person key={person.name} person={person} />}
        </Loaded>
      </Panel>
      <Sessions />
    </>
  );
}

function Person({ person }: { readonly person: Api.Me }): ReactNode {
  const { name: stored = '', email = '', owner, memberships = [] } = person;
  const [name, setName] = useState(stored);
  const { data: projects = [] } = useQuery(projectsQuery);
  const names = new Map(projects.map((project) => [project.id, project.name]));
  const rename = useChange(() => clew.me.update({ name: name.trim() }), {
    invalidates: [meQuery.queryKey, ['members'], ['people']],
    onDone: () => notify('You have your new name'),
    onError: () => undefined,
  });
  return (
    <div className="flex flex-col gap-4">
      <form
        className="flex max-w-md flex-col gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          rename.mutate(undefined);
        }}
      >
        <div className="flex items-end gap-2">
          <TextField
            className="flex-1"
            label="Name"
            value={name}
            maxLength={200}
            onChange={setName}
            error={fieldErrors(rename.error).get('name')}
          />
          <Button type="submit" isDisabled={rename.isPending || name.trim() === '' || name.trim() === stored}>
            Rename
          </Button>
        </div>
        <FormProblem error={rename.error} fields={['name']} />
      </form>
      <Facts
        facts={[
          ['E-mail address', <HostileText key="email" text={email} />],
          [
            'Rights',
            owner === true ? (
              'Owner of the workspace'
            ) : (
              <ul key="roles">
                {memberships.map(({ projectId, role }) => (
                  <li key={projectId}>
                    {sentence(role)} of <HostileText text={names.get(projectId) ?? projectId} />
                  </li>
                ))}
              </ul>
            ),
          ],
        ]}
      />
    </div>
  );
}

function Sessions(): ReactNode {
  const sessions = useQuery(sessionsQuery);
  const endOthers = useChange(() => clew.me.sessions.endOthers(), {
    invalidates: [sessionsQuery.queryKey],
    onDone: () => notify('All other sessions have ended'),
  });
  const hasOthers = (sessions.data ?? []).some(({ current }) => !current);
  const columns: TableColumn<Api.Session>[] = [
    {
      id: 'where',
      header: 'Where',
      cell: ({ userAgent, ip, current }) => (
        <>
          <span className="flex flex-wrap items-center gap-1.5">
            <HostileText className="font-medium" text={agentText(userAgent)} />
            {current ? <Badge tone="ok">This one</Badge> : null}
          </span>
          <span className="text-xs text-muted">{ip ?? 'From an unknown address'}</span>
        </>
      ),
    },
    {
      id: 'began',
      header: 'Began',
      cell: ({ createdAt, method }) => (
        <>
          <Time atMs={createdAt} />
          <span className="block text-xs text-muted">{METHODS[method]}</span>
        </>
      ),
    },
    { id: 'seen', header: 'Last used', cell: ({ lastSeenAt }) => <Time atMs={lastSeenAt} /> },
    { id: 'ends', header: 'Ends, unused', cell: ({ endsAt }) => <Time atMs={endsAt} /> },
    {
      id: 'deeds',
      header: <span className="sr-only">Deeds</span>,
      className: 'text-right',
      cell: (session) => (session.current ? null : <EndSession session={session} />),
    },
  ];
  return (
    <Panel
      title="Sessions"
      hint="Everywhere you are signed in. One that you do not know should be ended, and the password changed."
      aside={
        hasOthers ? (
          <ConfirmButton
            look="plain"
            label="End all others…"
            title="End all other sessions?"
            confirmLabel="End them"
            onConfirm={() => endOthers.mutate(undefined)}
          >
            You stay signed in here, and sign in anew elsewhere.
          </ConfirmButton>
        ) : undefined
      }
    >
      <Loaded query={sessions} label="Sessions are being read" lines={3}>
        {(all) => <Table label="Sessions" rows={all} columns={columns} idOf={({ id }) => id} />}
      </Loaded>
    </Panel>
  );
}

const METHODS: Readonly<Record<Api.Session['method'], string>> = {
  password: 'with the password',
  link: 'by a one-time link',
  oidc: 'by a sign-in provider',
  device: 'at the command line',
  invitation: 'by an invitation',
  reset: 'with a new password',
};

function EndSession({ session }: { readonly session: Api.Session }): ReactNode {
  const end = useChange(() => clew.me.sessions.end(session.id), { invalidates: [sessionsQuery.queryKey] });
  return (
    <Button look="quiet" isDisabled={end.isPending} onPress={() => end.mutate(undefined)}>
      End
    </Button>
  );
}
