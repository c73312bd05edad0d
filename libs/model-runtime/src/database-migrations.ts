/**
 * The migrations that the database needs for this version, by their ids. They belong to model-runtime-svc, which runs
 * them; the agent waits for them.
 */
export const DATABASE_MIGRATIONS: readonly { readonly id: string }[] = [{ id: '0001-baseline' }, { id: '0002-quotas' }];
