import { createSecretKey } from 'node:crypto';
import { newId } from '@clew/kernel';
import { SCOPES } from '@clew/contracts';
import type { StoredApiKey } from '../api-keys/api-key.ts';
import { hashKey, newKeySecret, startOfKey } from '../api-keys/key-format.ts';

export const TEST_PEPPER = createSecretKey(Buffer.alloc(32, 7));
export const WORKSPACE = newId('ws');
export const PROJECT = newId('prj');
export const OTHER_PROJECT = newId('prj');

export interface TestKey {
  secret: string;
  key: StoredApiKey;
  authorization: string;
}

/** Key with all scopes for one project, apart from the overrides. */
export function testKey(overrides: Partial<StoredApiKey> = {}): TestKey {
  const secret = newKeySecret('test');
  const key: StoredApiKey = {
    id: newId('key'),
    workspaceId: WORKSPACE,
    hash: hashKey(TEST_PEPPER, secret),
    start: startOfKey(secret),
    name: 'test',
    scopes: [...SCOPES],
    projectIds: [PROJECT],
    expiresAt: null,
    lastUsedAt: null,
    rotatedFrom: null,
    rotatedTo: null,
    createdBy: 'bootstrap',
    userId: null,
    createdAt: 0,
    revokedAt: null,
    keysMade: 0,
    ...overrides,
  };
  return { secret, key, authorization: `Bearer ${secret}` };
}
