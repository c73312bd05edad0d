import { serviceDefinition, type ServiceName } from '@clew/contracts/services';

/** Database that a process uses: its own, or that of another process. */
export function databaseOf(name: ServiceName): string | undefined {
  const { database, worksOnDatabaseOf } = serviceDefinition(name);
  return worksOnDatabaseOf === undefined ? database : serviceDefinition(worksOnDatabaseOf as ServiceName).database;
}

export const usesDatabase = (name: ServiceName) => databaseOf(name) !== undefined;
