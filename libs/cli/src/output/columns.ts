import type { Api } from '@clew/sdk';
import { column, minor, type Cell, type Column } from './cells.ts';
import type { Colour } from './style.ts';

const SEVERITIES: Readonly<Record<string, Colour>> = {
  critical: 'magenta',
  high: 'red',
  medium: 'yellow',
  low: 'cyan',
  info: 'dim',
};

const STATES: Readonly<Record<string, Colour>> = {
  ready: 'green',
  completed: 'green',
  resolved: 'green',
  active: 'green',
  done: 'green',
  synced: 'green',
  failed: 'red',
  error: 'red',
  regressed: 'red',
  cancelled: 'yellow',
  running: 'yellow',
  pending: 'yellow',
  paused: 'yellow',
};

/** Shows a severity in its colour. */
export const severity = (value: string): Cell => ({ text: value, colour: SEVERITIES[value] });

/** Shows a state in the colour of its kind. */
export const state = (value: string): Cell => ({ text: value, colour: STATES[value] });

/** Shows a text that is found at an address. */
export const linked = (text: string, url: string | null | undefined): Cell => ({ text, url });

export const FINDING_COLUMNS: readonly Column<Api.Finding>[] = [
  column('ID', ({ id, workbenchUrl }) => linked(id, workbenchUrl)),
  column('SEVERITY', (finding) => severity(finding.severity)),
  minor('REVIEW', ({ reviewStatus }) => reviewStatus),
  minor('RESOLUTION', ({ resolutionStatus }) => state(resolutionStatus)),
  minor('SCORE', ({ diagnosticScore }) => diagnosticScore),
  column('COUNT', ({ occurrenceCount }) => occurrenceCount),
  column('SEEN', ({ lastDetectedAt }) => ({ at: lastDetectedAt })),
  column('TITLE', ({ title }) => title),
];

export const CONVERSATION_COLUMNS: readonly Column<Api.ConversationSummary>[] = [
  column('ID', ({ id }) => id),
  column('STATE', (conversation) => state(conversation.state)),
  column('STARTED', ({ startedAt }) => ({ at: startedAt })),
  column('AGENTS', ({ agents }) => ({ words: agents })),
  column('MESSAGES', ({ messageCount }) => messageCount),
  column('ERRORS', ({ errorCount }) => errorCount),
  column('FINDINGS', ({ findingCount }) => findingCount),
  column('PREVIEW', ({ preview }) => preview),
];

export const WORK_ITEM_COLUMNS: readonly Column<Api.WorkItem>[] = [
  column('ID', ({ id }) => id),
  column('FINDING', ({ findingId }) => findingId),
  column('TRACKER', ({ provider }) => provider),
  column('ISSUE', ({ externalKey, externalUrl }) => linked(externalKey ?? '-', externalUrl)),
  column('STATUS', ({ status }) => state(status)),
  column('SYNC', ({ syncState }) => state(syncState)),
  column('UPDATED', ({ updatedAt }) => ({ at: updatedAt })),
  column('PROBLEM', ({ syncError }) => syncError),
];

export const SERVICE_COLUMNS: readonly Column<Api.ModelService>[] = [
  column('MODEL', ({ model }) => model),
  column('PROFILE', ({ profileId }) => profileId),
  column('ENGINE', ({ engine }) => engine),
  column('STATE', (service) => state(service.state)),
  column('CHANGED', ({ updatedAt }) => ({ at: updatedAt })),
  column('PROBLEM', ({ error }) => error?.message),
];
