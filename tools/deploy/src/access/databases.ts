import { serviceDefinition, type ServiceName } from '@clew/contracts/services';

/** The database that a process works on: its own, or that of another. */
export function databaseOf(name: ServiceName): string | undefined {
  const { database, worksOnDatabaseOf } = serviceDefinition(name);
  return worksOnDatabaseOf === undefined ? database : serviceDefinition(worksOnDatabaseOf as ServiceName).database;
}

export const usesDatabase = (name: ServiceName) => databaseOf(name) !== undefined;
