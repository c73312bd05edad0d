import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { connectorsQuery, meQuery } from '../../api/queries.ts';
import { may } from '../../api/rights.ts';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { FirstUse, Loaded } from '../../ui/states.tsx';
import type { PartProps } from '../part-props.ts';
import { ConnectorCard } from './connector-card.tsx';
import { EditConnectorDialog, NewConnectorDialog } from './connector-dialogs.tsx';

/** Issue trackers to which Findings are handed over. */
export default function ConnectorsPart({ projectId }: PartProps): ReactNode {
  const connectors = useQuery(connectorsQuery(projectId));
  const { data: me } = useQuery(meQuery);
  const [isMaking, setMaking] = useState(false);
  const [edited, setEdited] = useState<Api.Connector>();
  const mayWrite = me !== undefined && may(me, projectId, 'project:diagnostics:write');
  const connect = mayWrite ? (
    <Button look="main" onPress={() => setMaking(true)}>
      Connect a tracker
    </Button>
  ) : undefined;
  return (
    <>
      <Panel
        title="Issue trackers"
        hint="A Finding is handed over as an issue. When the issue is closed, Clew watches whether the problem has gone."
        aside={(connectors.data ?? []).length === 0 ? undefined : connect}
      >
        <Loaded query={connectors} label="Connectors are being read" lines={4}>
          {(all) =>
            all.length === 0 ? (
              <FirstUse title="No tracker is connected" action={connect}>
                GitHub, GitLab, Jira and Linear can be connected. Credentials are kept encrypted and are never shown
                again.
              </FirstUse>
            ) : (
              <ul className="flex flex-col gap-3">
                {all.map((connector) => (
                  <ConnectorCard
                    key={connector.id}
                    {...{ projectId, connector, mayWrite }}
                    onEdit={() => setEdited(connector)}
                  />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Panel>
      {isMaking ? <NewConnectorDialog projectId={projectId} onClose={() => setMaking(false)} /> : null}
      {edited === undefined ? null : (
        <EditConnectorDialog projectId={projectId} connector={edited} onClose={() => setEdited(undefined)} />
      )}
    </>
  );
}
