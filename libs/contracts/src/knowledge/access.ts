/** Who reads Knowledge, and who changes it or has it extracted. */
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

/** What is common to the routes of Knowledge. */
export const KNOWLEDGE = { service: 'knowledge-svc', tag: 'Knowledge' } as const;
