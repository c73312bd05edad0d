import { createClient } from '@clew/sdk';
import {
  auth,
  connectors,
  conversations,
  events,
  findings,
  health,
  me,
  members,
  projects,
  workItems,
} from '@clew/sdk/resources';

/** Address of the deployment, which the gateway writes into the page. */
export const BASE = new URL('.', document.baseURI).href;

/** Client of the API, which acts for the signed-in person; every call names its project. */
export const clew = createClient(
  { baseUrl: BASE, credentials: 'same-origin' },
  { auth, connectors, conversations, events, findings, health, me, members, projects, workItems },
);
