// mongosh "<address of an administrator>" --file mongodb-users.js
// PASSWORD_<USER> (PASSWORD_GATEWAY, PASSWORD_GATEWAY_MIGRATE, ...) holds the password of a user that is new.
const ACTIONS = {
  runs: ['find', 'insert', 'update', 'remove', 'listCollections', 'listIndexes', 'changeStream', 'dbStats'],
  migrates: [
    'find',
    'insert',
    'update',
    'remove',
    'listCollections',
    'listIndexes',
    'collStats',
    'dbStats',
    'createCollection',
    'createIndex',
    'dropCollection',
    'dropIndex',
    'collMod',
    'renameCollectionSameDB',
  ],
};
const USERS = [
  {
    user: 'gateway',
    database: 'clew_gateway',
    does: 'runs',
  },
  {
    user: 'gateway-migrate',
    database: 'clew_gateway',
    does: 'migrates',
  },
  {
    user: 'telemetry-warehouse',
    database: 'clew_telemetry',
    does: 'runs',
  },
  {
    user: 'telemetry-warehouse-migrate',
    database: 'clew_telemetry',
    does: 'migrates',
  },
  {
    user: 'diagnostics-svc',
    database: 'clew_diagnostics',
    does: 'runs',
  },
  {
    user: 'diagnostics-svc-migrate',
    database: 'clew_diagnostics',
    does: 'migrates',
  },
  {
    user: 'datasets-svc',
    database: 'clew_datasets',
    does: 'runs',
  },
  {
    user: 'datasets-svc-migrate',
    database: 'clew_datasets',
    does: 'migrates',
  },
  {
    user: 'knowledge-svc',
    database: 'clew_knowledge',
    does: 'runs',
  },
  {
    user: 'knowledge-svc-migrate',
    database: 'clew_knowledge',
    does: 'migrates',
  },
  {
    user: 'model-runtime-svc',
    database: 'clew_models',
    does: 'runs',
  },
  {
    user: 'model-runtime-svc-migrate',
    database: 'clew_models',
    does: 'migrates',
  },
  {
    user: 'model-runtime-agent',
    database: 'clew_models',
    does: 'runs',
  },
];

for (const { user, database, does } of USERS) {
  const db = globalThis.db.getSiblingDB(database);
  const privileges = [{ resource: { db: database, collection: '' }, actions: ACTIONS[does] }];
  const role = `clew-${does}`;
  if (db.getRole(role) === null) db.createRole({ role, privileges, roles: [] });
  else db.updateRole(role, { privileges, roles: [] });
  const pwd = globalThis.process.env[`PASSWORD_${user.toUpperCase().replaceAll('-', '_')}`];
  const roles = [{ role, db: database }];
  if (db.getUser(user) === null) db.createUser({ user, pwd, roles });
  else db.updateUser(user, pwd === undefined ? { roles } : { pwd, roles });
}
