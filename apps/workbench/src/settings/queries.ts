import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { clew } from '../api/client.ts';
import { cachedPage, paged } from '../api/queries.ts';

const MANY = 500;
const PAGE = 50;

export const keysQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['api-keys', projectId],
    queryFn: ({ signal }) => clew.apiKeys.list({ project: projectId, limit: MANY, signal }).toArray({ max: MANY }),
  });

export const invitationsQuery = (projectId: string | undefined) =>
  queryOptions({
    queryKey: ['invitations', projectId ?? 'all'],
    queryFn: ({ signal }) => clew.invitations.list({ projectId, limit: MANY, signal }).toArray({ max: MANY }),
  });

export const webhooksQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['webhooks', projectId],
    queryFn: ({ signal }) => clew.webhooks.list({ project: projectId, signal }).toArray({ max: MANY }),
  });

export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

export const deliveriesQuery = (projectId: string, webhookId: string, status: DeliveryStatus | undefined) =>
  infiniteQueryOptions({
    queryKey: ['webhook-deliveries', projectId, webhookId, status ?? 'all'],
    queryFn: ({ pageParam, signal }) =>
      cachedPage(
        clew.webhooks.deliveries.list(webhookId, {
          ...{ status, limit: PAGE, cursor: pageParam, project: projectId, signal },
        }),
      ),
    ...paged,
    placeholderData: keepPreviousData,
  });

export const telemetrySettingsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['telemetry-settings', projectId],
    queryFn: async ({ signal }) => (await clew.telemetry.settings.get({ project: projectId, signal })).settings,
  });

export const retentionQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['retention', projectId],
    queryFn: async ({ signal }) => (await clew.telemetry.retention({ project: projectId, signal })).retention,
    refetchInterval: 30_000,
  });

export const erasuresQuery = (projectId: string) =>
  infiniteQueryOptions({
    queryKey: ['erasures', projectId],
    queryFn: ({ pageParam, signal }) =>
      cachedPage(clew.erasures.list({ limit: PAGE, cursor: pageParam, project: projectId, signal })),
    ...paged,
  });

export const diagnosticSettingsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['diagnostic-settings', projectId],
    queryFn: async ({ signal }) => (await clew.diagnostics.settings.get({ project: projectId, signal })).settings,
  });

export const failureRateQuery = (projectId: string, window: { startMs: number; endMs: number }) =>
  queryOptions({
    queryKey: ['failure-rate', projectId, window],
    queryFn: ({ signal }) => clew.diagnostics.failureRate({ ...window, project: projectId, signal }),
    placeholderData: keepPreviousData,
  });

export const calibrationQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['score-calibration', projectId],
    queryFn: ({ signal }) => clew.diagnostics.scoreCalibration({ project: projectId, signal }),
  });

export const reviewDaysQuery = (projectId: string, days: number) =>
  queryOptions({
    queryKey: ['review-days', projectId, days],
    queryFn: ({ signal }) =>
      clew.diagnostics.reviewDays({ limit: days, project: projectId, signal }).toArray({ max: days }),
  });

export const reviewsQuery = (projectId: string) =>
  infiniteQueryOptions({
    queryKey: ['reviews', projectId],
    queryFn: ({ pageParam, signal }) =>
      cachedPage(clew.diagnostics.reviews({ limit: PAGE, cursor: pageParam, project: projectId, signal })),
    ...paged,
  });

export const quotasQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['quotas', projectId],
    queryFn: ({ signal }) => clew.quotas.get({ project: projectId, signal }),
  });

export type UsageGrouping = 'day' | 'model' | 'key';
interface UsageDays {
  readonly fromDay: string;
  readonly toDay: string;
}

export const usageQuery = (projectId: string, days: UsageDays, by: UsageGrouping) =>
  queryOptions({
    queryKey: ['usage', projectId, days, by],
    queryFn: ({ signal }) => clew.usage.ofProject({ ...days, by, project: projectId, signal }),
    placeholderData: keepPreviousData,
  });

export type AuditQuery = Omit<NonNullable<Parameters<typeof clew.audit.listOfProject>[0]>, 'cursor' | 'project'>;

/** Entries of a project, or of the whole workspace. */
export const auditQuery = (projectId: string | undefined, query: AuditQuery) =>
  infiniteQueryOptions({
    queryKey: ['audit', projectId ?? 'workspace', query],
    queryFn: ({ pageParam, signal }) => {
      const params = { ...query, limit: PAGE, cursor: pageParam, signal };
      return cachedPage(
        projectId === undefined ? clew.audit.list(params) : clew.audit.listOfProject({ ...params, project: projectId }),
      );
    },
    ...paged,
    placeholderData: keepPreviousData,
  });

interface PeopleQuery {
  readonly q?: string;
  readonly state?: 'active' | 'deactivated';
}

export const peopleQuery = (query: PeopleQuery) =>
  infiniteQueryOptions({
    queryKey: ['people', query],
    queryFn: ({ pageParam, signal }) =>
      cachedPage(clew.people.list({ ...query, limit: PAGE, cursor: pageParam, signal })),
    ...paged,
    placeholderData: keepPreviousData,
  });

export const signInMethodsQuery = queryOptions({
  queryKey: ['sign-in-methods'],
  queryFn: ({ signal }) => clew.auth.methods({ signal }),
});

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => (await clew.me.sessions.list({ signal })).sessions,
});
