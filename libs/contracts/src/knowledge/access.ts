/** Access rules: the first for reading Knowledge, the second for changing it or having it extracted. */
export const READ_KNOWLEDGE = {
  kind: 'caller',
  scopes: ['workspace:read'],
  permissions: ['project:read'],
} as const;
export const WRITE_KNOWLEDGE = {
  kind: 'caller',
  scopes: ['workspace:write'],
  permissions: ['project:update'],
} as const;

/** Common members of the Knowledge routes. */
export const KNOWLEDGE = { service: 'knowledge-svc', tag: 'Knowledge' } as const;
