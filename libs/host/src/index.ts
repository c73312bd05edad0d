export { runApp, runDatabaseApp, runDatabaseRole, type App } from './app.ts';
export {
  openHost,
  withDatabase,
  type DatabaseHost,
  type Host,
  type HostConfig,
  type HostOptions,
  type RoleHost,
} from './host.ts';
export { runMigrations, runTopologyMigration, type MigrationOptions } from './migrations.ts';
export { watchPrivateProjects, type PrivateProjects, type PrivateProjectsOptions } from './private-projects.ts';
export { rewrapSecrets, type RewrapReport, type SecretDocument, type StoredSecrets } from './rewrap-secrets.ts';
export { runRewrap, type RewrapOptions } from './run-rewrap.ts';
export { addressVariables, databaseVariables } from './variables.ts';
export { watchParts, type Watch } from './watch.ts';
