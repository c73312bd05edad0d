import { serviceDefinition, type ServiceName } from '@clew/contracts/services';

/** Database that a process uses: its own, or that of the app of which it is a role. */
export function databaseOf(name: ServiceName): string | undefined {
  const { database, roleOf } = serviceDefinition(name);
  return roleOf === undefined ? database : serviceDefinition(roleOf.app as ServiceName).database;
}

export const usesDatabase = (name: ServiceName) => databaseOf(name) !== undefined;
