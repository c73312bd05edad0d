import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { BASE } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Snippet } from '../../ui/copy-button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SecretDialog } from '../../ui/secret-dialog.tsx';
import { FirstUse, Loaded } from '../../ui/states.tsx';
import { keysQuery } from '../queries.ts';
import type { PartProps } from '../part-props.ts';
import { KeyDialog } from './key-dialog.tsx';
import { KeysTable } from './keys-table.tsx';
import { snippetOf } from './scopes.ts';

/** Keys with which programs call the API. */
export default function KeysPart({ projectId }: PartProps): ReactNode {
  const keys = useQuery(keysQuery(projectId));
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<Api.ApiKeySecret>();
  const make = (
    <Button look="main" onPress={() => setMaking(true)}>
      New key
    </Button>
  );
  return (
    <>
      <Panel
        title="Keys of this project"
        hint="Programs sign in with a key. Each has the rights of its scopes, and no more than its maker had."
        aside={(keys.data ?? []).length === 0 ? undefined : make}
      >
        <Loaded query={keys} label="Keys are being read" lines={4}>
          {(all) =>
            all.length === 0 ? (
              <FirstUse title="No keys yet" action={make}>
                A program needs a key to send conversations, to call models, or to read what was found.
              </FirstUse>
            ) : (
              <KeysTable projectId={projectId} keys={all} onMade={setMade} />
            )
          }
        </Loaded>
      </Panel>
      {isMaking ? (
        <KeyDialog
          projectId={projectId}
          onClose={() => setMaking(false)}
          onMade={(secret) => {
            setMaking(false);
            setMade(secret);
          }}
        />
      ) : null}
      {made === undefined ? null : (
        <SecretDialog
          title={`Key “${made.apiKey.name}”`}
          label="Secret of the key"
          secret={made.secret}
          onClose={() => setMade(undefined)}
        >
          <h3 className="font-medium">How to use it</h3>
          <Snippet label="Use of the key" text={snippetOf(made.apiKey.scopes, BASE, made.secret, projectId)} />
        </SecretDialog>
      )}
    </>
  );
}
