import type { StoredSecrets } from '@clew/host';
import { HUB_TOKENS_COLLECTION, hubTokenPlace } from '@clew/model-runtime';
import { providerKeyPlace, PROVIDERS_COLLECTION } from './endpoint/index.ts';

/** Everything in the database that is encrypted with AUTH_SECRET. */
export const STORED_SECRETS: readonly StoredSecrets[] = [
  {
    collection: PROVIDERS_COLLECTION,
    field: 'apiKey',
    placeOf: ({ projectId = '', name }) => providerKeyPlace(projectId, String(name)),
  },
  { collection: HUB_TOKENS_COLLECTION, field: 'token', placeOf: ({ _id }) => hubTokenPlace(_id) },
];
