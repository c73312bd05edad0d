import { serviceDefinition, type ServiceName } from '@clew/contracts/services';

/** The database that a process works on: its own, or that of the app whose role it is. */
export function databaseOf(name: ServiceName): string | undefined {
  const { database, roleOf } = serviceDefinition(name);
  return roleOf === undefined ? database : serviceDefinition(roleOf.app as ServiceName).database;
}

export const usesDatabase = (name: ServiceName) => databaseOf(name) !== undefined;
