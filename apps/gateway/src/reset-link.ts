import { createSecretKey } from 'node:crypto';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { deriveSecret, newId, systemClock, type Clock } from '@clew/kernel';
import { EmailAddress, RESET_MS, type ResetLink } from '@clew/contracts';
import type { Database } from '@clew/persistence';
import { loadConfig, startService, UsageError } from '@clew/runtime';
import { createAuditLog } from './audit/audit.ts';
import { GatewayConfig } from './config.ts';
import { createLinkTokens } from './links/link-token.ts';
import { isActive } from './people/user.ts';
import { createUserStore } from './people/users.store.ts';
import { MADE_ON_SERVER } from './resets/reset.model.ts';
import { createResetStore } from './resets/resets.store.ts';
import { commandVariables, withDatabase } from './server-command.ts';
import { createTokens } from './sessions/tokens.ts';

const Config = z.object({ ...commandVariables, PUBLIC_URL: GatewayConfig.shape.PUBLIC_URL });

const USAGE = 'people reset-link EMAIL';

/**
 * Makes a reset link for somebody, whoever they are: the way in where nobody can make one, with the database at hand.
 * It works where passwords are off as well. The database and the secret prove the right to it.
 */
export async function makeResetLink(
  database: Database,
  config: Pick<z.infer<typeof Config>, 'AUTH_SECRET' | 'PUBLIC_URL'>,
  email: string,
  clock: Clock = systemClock,
): Promise<ResetLink> {
  const tokens = createLinkTokens(
    createTokens(createSecretKey(deriveSecret(config.AUTH_SECRET, 'session/v1'))),
    config.PUBLIC_URL,
  );
  const token = tokens.make('reset');
  const expiresAt = clock.now() + RESET_MS;
  await database.withTransaction(async (tx) => {
    const user = await createUserStore(database).findByEmail(email, tx);
    if (user === undefined) throw new UsageError('there is nobody with this address');
    if (!isActive(user)) throw new UsageError('the person is deactivated: an owner activates them');
    const { id: userId, workspaceId } = user;
    const reset = { userId, workspaceId, tokenHash: token.hash, createdBy: MADE_ON_SERVER, createdAt: clock.now() };
    await createResetStore(database).put(tx, { ...reset, expiresAt });
    await createAuditLog(database).append(tx, {
      ...{ workspaceId, projectId: null, actor: { kind: 'system', id: MADE_ON_SERVER }, action: 'reset.created' },
      ...{ target: { kind: 'person', id: userId }, address: null, requestId: newId('req'), before: null, after: null },
      at: clock.now(),
    });
  });
  return { link: tokens.addressOf('reset', token), expiresAt };
}

if (import.meta.main) {
  await startService(async () => {
    const { positionals } = parseArgs({ allowPositionals: true });
    const email = EmailAddress.safeParse(positionals[0]).data;
    if (email === undefined || positionals.length > 1) throw new UsageError('name one mail address');
    const config = loadConfig(Config, process.env);
    await withDatabase(config, 'reset-link', async (database) => {
      const { link } = await makeResetLink(database, config, email);
      process.stdout.write(`${link}\n`);
    });
  }, USAGE);
}
