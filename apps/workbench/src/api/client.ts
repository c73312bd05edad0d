import { createClient } from '@clew/sdk';
import * as resources from '@clew/sdk/resources';

/** Address of the deployment, which the gateway writes into the page. */
export const BASE = new URL('.', document.baseURI).href;

/** Client of the API, which acts for the signed-in person; every call names its project. */
export const clew = createClient({ baseUrl: BASE, credentials: 'same-origin' }, resources);
