import { z } from 'zod';
import { addressVariable, SERVICES, type AddressVariable, type ServiceName } from '@clew/contracts';
import { migrationVariables, mongoVariables } from '@clew/runtime';

const address = z.url({ protocol: /^https?$/ });

/** Variables with the addresses of the services that a process calls: `DATASETS_SVC_URL`. */
export function addressVariables<const Name extends ServiceName>(
  ...names: readonly Name[]
): Record<AddressVariable<Name>, typeof address> {
  const entries = names.map((name) => [addressVariable(name), address] as const);
  return Object.fromEntries(entries) as Record<AddressVariable<Name>, typeof address>;
}

/** Service that owns a database. */
export type DatabaseOwner = {
  [Name in ServiceName]: (typeof SERVICES)[Name] extends { database: string } ? Name : never;
}[ServiceName];

/** Variables of a service that owns a database. */
export function databaseVariables(owner: DatabaseOwner) {
  return {
    ...mongoVariables,
    ...migrationVariables,
    /** The database that it owns. */
    MONGO_DATABASE: z.string().default(SERVICES[owner].database),
  };
}
