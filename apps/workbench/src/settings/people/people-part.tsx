import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { meQuery } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { InlineSelect } from '../../ui/inline-select.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { FilteredEmpty, Loaded } from '../../ui/states.tsx';
import { InvitationsTable } from '../members/invitations-table.tsx';
import { InviteDialog } from '../members/invite-dialog.tsx';
import { LinkDialog, type ShownLink } from '../members/link-dialog.tsx';
import { invitationsQuery, peopleQuery } from '../queries.ts';
import type { PartProps } from '../part-props.ts';
import { choiceOf, parseSettingsSearch } from '../settings-search.ts';
import { PeopleTable } from './people-table.tsx';

const STATES = ['active', 'deactivated'] as const;

/** Everybody with an account, in all projects. */
export default function PeoplePart({ projectId, search, onSearch }: PartProps): ReactNode {
  const state = choiceOf(search.state, STATES);
  const { q } = search;
  const people = useInfiniteQuery(peopleQuery({ ...(q === undefined ? {} : { q }), ...(state && { state }) }));
  const invitations = useQuery(invitationsQuery(undefined));
  const { data: me } = useQuery(meQuery);
  const [isInviting, setInviting] = useState(false);
  const [link, setLink] = useState<ShownLink>();
  return (
    <>
      <Panel
        title="People"
        hint="Accounts of the workspace. Roles in a project are given in its members."
        aside={
          <Button look="main" onPress={() => setInviting(true)}>
            Invite
          </Button>
        }
      >
        <div className="mb-2 flex flex-wrap items-center gap-1.5">
          <SearchBox
            label="Filter by name or address"
            value={q ?? ''}
            onChange={(value) => onSearch(parseSettingsSearch({ ...search, q: value }))}
          />
          <InlineSelect
            label="State"
            value={state ?? ''}
            onChange={(value) => onSearch(parseSettingsSearch({ ...search, state: value }))}
            options={[
              { id: '', label: 'All' },
              { id: 'active', label: 'Active' },
              { id: 'deactivated', label: 'Deactivated' },
            ]}
          />
        </div>
        <Loaded
          query={{ ...people, data: people.data?.pages.flatMap(({ data }) => data) }}
          label="People are being read"
          lines={5}
        >
          {(all) =>
            all.length === 0 ? (
              <FilteredEmpty noun="people" onClearAll={() => onSearch({})} />
            ) : (
              <PeopleTable people={all} ownId={me?.id} onLink={setLink} />
            )
          }
        </Loaded>
        <LoadMore {...people} />
      </Panel>
      {invitations.data === undefined || invitations.data.length === 0 ? null : (
        <Panel title="Invitations" hint="Of all projects, and of the workspace.">
          <InvitationsTable {...{ projectId }} invitations={invitations.data} onLink={setLink} />
        </Panel>
      )}
      {isInviting ? (
        <InviteDialog
          {...{ projectId }}
          onClose={() => setInviting(false)}
          onLink={(made) => {
            setInviting(false);
            setLink(made);
          }}
        />
      ) : null}
      {link === undefined ? null : <LinkDialog {...link} onClose={() => setLink(undefined)} />}
    </>
  );
}
