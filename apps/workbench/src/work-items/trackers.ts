import type { Api } from '@clew/sdk';

/** Names of the issue trackers. */
export const TRACKERS: Readonly<Record<Api.WorkItem['provider'], string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  jira: 'Jira',
  linear: 'Linear',
};
