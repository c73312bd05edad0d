export { runMigrations, type DatabaseConfig } from './database.ts';
export { openDatabaseHost, openHost, type DatabaseHost, type Host, type HostConfig, type HostOptions } from './host.ts';
