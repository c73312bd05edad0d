import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { BASE } from '../../api/client.ts';
import { meQuery } from '../../api/queries.ts';
import { HostileText } from '../../text/hostile-text.tsx';
import { Badge } from '../../ui/badges.tsx';
import { Snippet } from '../../ui/copy-button.tsx';
import { Facts, Panel } from '../../ui/panel.tsx';
import { Loaded } from '../../ui/states.tsx';
import { signInMethodsQuery } from '../queries.ts';

/** Ways in which people sign in, which the deployment is configured with. */
export default function SignInPart(): ReactNode {
  const methods = useQuery(signInMethodsQuery);
  const { data: me } = useQuery(meQuery);
  return (
    <Loaded query={methods} label="The ways of signing in are being read" lines={4}>
      {({ password, minPasswordLength, providers }) => (
        <>
          <Panel title="Passwords and links">
            <Facts
              facts={[
                [
                  'Passwords',
                  password ? (
                    <Badge key="on" tone="ok">
                      Taken
                    </Badge>
                  ) : (
                    <Badge key="off" tone="info">
                      Switched off: providers alone
                    </Badge>
                  ),
                ],
                ['Shortest password', `${minPasswordLength} characters`],
                ['Mail', me?.features.mail === true ? 'Links are also sent' : 'No mail server: links are copied'],
              ]}
            />
          </Panel>
          <Panel
            title="Sign-in providers"
            hint="OpenID Connect. Roles that come from groups there are marked in the members of a project, and are given there."
          >
            {providers.length === 0 ? (
              <p className="text-muted">
                None is set up. The gateway is configured with its issuer and client (<code>OIDC_…</code> in its
                environment), and this is the address to register there:
              </p>
            ) : null}
            <ul className="flex flex-col gap-3">
              {(providers.length === 0 ? [{ id: '<id>', name: '' }] : providers).map(({ id, name }) => (
                <li key={id} className="flex flex-col gap-1">
                  {name === '' ? null : <HostileText className="font-medium" text={name} />}
                  <Snippet label="Address of return" text={`${BASE}v1/auth/oidc/${id}/callback`} />
                </li>
              ))}
            </ul>
          </Panel>
        </>
      )}
    </Loaded>
  );
}
