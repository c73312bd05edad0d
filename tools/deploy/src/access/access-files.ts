import { SERVICE_NAMES, type ServiceName } from '@clew/contracts/services';
import { brokerRights, CLI_USER, commandLineRights, MIGRATION_RIGHTS, type BrokerRights } from './broker-rights.ts';
import { DATABASE_ACTIONS, DATABASE_USERS } from './database-users.ts';
import { NODES } from './nodes.ts';

/** RabbitMQ virtual host of a deployment. */
export const VHOST = 'clew';

/** Broker permissions of all users, in the format of RabbitMQ's definitions; the users have no password there. */
export function brokerDefinitions(vhost = VHOST) {
  const users: readonly (readonly [string, BrokerRights])[] = [
    ...SERVICE_NAMES.map((name) => [name, brokerRights(name, NODES)] as const),
    ['jobs-worker-migrate', MIGRATION_RIGHTS] as const,
    [CLI_USER, commandLineRights(NODES)] as const,
  ];
  return {
    vhosts: [{ name: vhost }],
    permissions: users.map(([user, { configure, write, read }]) => ({ user, vhost, configure, write, read })),
    topic_permissions: users.flatMap(([user, { topics }]) => topics.map((topic) => ({ user, vhost, ...topic }))),
  };
}

/** Environment variable that holds a user's password when the database users are created. */
export function passwordVariable(user: ServiceName | string): string {
  return `PASSWORD_${user.toUpperCase().replaceAll('-', '_')}`;
}

/**
 * Script for mongosh that creates the users of MongoDB, or updates their permissions. Passwords come from the
 * environment; a user without one there keeps the current password.
 */
export function databaseUsersScript(): string {
  return `// mongosh "<address of an administrator>" --file mongodb-users.js
// PASSWORD_<USER> (PASSWORD_GATEWAY, PASSWORD_GATEWAY_MIGRATE, ...) holds the password of a user that is new.
const ACTIONS = ${JSON.stringify(DATABASE_ACTIONS, null, 2)};
const USERS = ${JSON.stringify(DATABASE_USERS, null, 2)};

for (const { user, database, does } of USERS) {
  const db = globalThis.db.getSiblingDB(database);
  const privileges = [{ resource: { db: database, collection: '' }, actions: ACTIONS[does] }];
  const role = \`clew-\${does}\`;
  if (db.getRole(role) === null) db.createRole({ role, privileges, roles: [] });
  else db.updateRole(role, { privileges, roles: [] });
  const pwd = globalThis.process.env[\`PASSWORD_\${user.toUpperCase().replaceAll('-', '_')}\`];
  const roles = [{ role, db: database }];
  if (db.getUser(user) === null) db.createUser({ user, pwd, roles });
  else db.updateUser(user, pwd === undefined ? { roles } : { pwd, roles });
}
`;
}
