import { SERVICE_NAMES, type ServiceName } from '@clew/contracts/services';
import { brokerRights, CLI_USER, commandLineRights, MIGRATION_RIGHTS, type BrokerRights } from './broker-rights.ts';
import { DATABASE_ACTIONS, DATABASE_USERS } from './database-users.ts';
import { NODES } from './nodes.ts';

/** The vhost of a deployment. */
export const VHOST = 'clew';

/** Who may do what at the broker, in the form of RabbitMQ's own definitions; users have no password there. */
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

/** The variable that a user's password is read from where the users are made. */
export function passwordVariable(user: ServiceName | string): string {
  return `PASSWORD_${user.toUpperCase().replaceAll('-', '_')}`;
}

/**
 * A script for mongosh that makes the users of MongoDB, or brings what they may do up to date. A password is read from
 * the environment; a user that has none there keeps what it has.
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
