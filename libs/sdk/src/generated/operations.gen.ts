// Generated from the route specs by `npm run generate`; not to be edited.
import type { Resource } from '../resource.ts';
import type {
  InferenceMethods,
  AuditMethods,
  AuthMethods,
  HealthMethods,
  InvitationsMethods,
  TelemetryMethods,
  MeMethods,
  PeopleMethods,
  ProjectErasuresMethods,
  ProjectsMethods,
  ApiKeysMethods,
  ConversationsMethods,
  DatasetsMethods,
  ExamplesMethods,
  AnalysisRunsMethods,
  RulesMethods,
  ConnectorsMethods,
  ExpectationsMethods,
  DiagnosticsMethods,
  FindingsMethods,
  WorkItemsMethods,
  ErasuresMethods,
  EventsMethods,
  KnowledgeMethods,
  MembersMethods,
  ModelsMethods,
  ProvidersMethods,
  QuotasMethods,
  TracesMethods,
  UsageMethods,
  WebhooksMethods,
} from './methods.gen.ts';

export const inference: Resource<InferenceMethods> = {
  transcriptions: {
    create: {
      method: 'POST',
      path: '/v1/audio/transcriptions',
      body: true,
      stream: 'events',
      either: true,
      projectHeader: true,
      slow: true,
    },
  },
  chatCompletions: {
    create: {
      method: 'POST',
      path: '/v1/chat/completions',
      body: true,
      stream: 'events',
      either: true,
      projectHeader: true,
      slow: true,
    },
  },
  completions: {
    create: {
      method: 'POST',
      path: '/v1/completions',
      body: true,
      stream: 'events',
      either: true,
      projectHeader: true,
      slow: true,
    },
  },
  embeddings: {
    create: {
      method: 'POST',
      path: '/v1/embeddings',
      body: true,
      stream: 'events',
      either: true,
      projectHeader: true,
      slow: true,
    },
  },
  models: { list: { method: 'GET', path: '/v1/models', projectHeader: true } },
};

export const audit: Resource<AuditMethods> = {
  list: { method: 'GET', path: '/v1/audit', list: 'entries' },
  export: { method: 'GET', path: '/v1/audit/export', stream: 'lines', slow: true },
  listOfProject: { method: 'GET', path: '/v1/projects/:projectId/audit', list: 'entries' },
};

export const auth: Resource<AuthMethods> = {
  methods: { method: 'GET', path: '/v1/auth/methods' },
  setUp: { method: 'POST', path: '/v1/auth/setup', body: true },
  signIn: { method: 'POST', path: '/v1/auth/sign-in', body: true },
  signOut: { method: 'POST', path: '/v1/auth/sign-out' },
  devices: {
    start: { method: 'POST', path: '/v1/auth/device', body: true },
    decide: { method: 'POST', path: '/v1/auth/device/approve', body: true },
    token: { method: 'POST', path: '/v1/auth/device/token', body: true },
  },
  invitations: {
    get: { method: 'GET', path: '/v1/auth/invitations/:token' },
    accept: { method: 'POST', path: '/v1/auth/invitations/:token', body: true },
  },
  oneTimeLinks: { create: { method: 'POST', path: '/v1/auth/one-time-links', body: true } },
  resets: {
    get: { method: 'GET', path: '/v1/auth/resets/:token' },
    use: { method: 'POST', path: '/v1/auth/resets/:token', body: true },
  },
};

export const health: Resource<HealthMethods> = { signals: { method: 'GET', path: '/v1/health/signals' } };

export const invitations: Resource<InvitationsMethods> = {
  list: { method: 'GET', path: '/v1/invitations', list: 'invitations' },
  create: { method: 'POST', path: '/v1/invitations', body: true },
  withdraw: { method: 'DELETE', path: '/v1/invitations/:invitationId' },
  createLink: { method: 'POST', path: '/v1/invitations/:invitationId/link' },
};

export const telemetry: Resource<TelemetryMethods> = {
  sendLogs: { method: 'POST', path: '/v1/logs', body: true, projectHeader: true },
  sendMetrics: { method: 'POST', path: '/v1/metrics', body: true, projectHeader: true },
  retention: { method: 'GET', path: '/v1/projects/:projectId/telemetry/retention' },
  sendTraces: { method: 'POST', path: '/v1/traces', body: true, projectHeader: true },
  settings: {
    get: { method: 'GET', path: '/v1/projects/:projectId/telemetry/settings' },
    update: { method: 'PATCH', path: '/v1/projects/:projectId/telemetry/settings', body: true },
  },
};

export const me: Resource<MeMethods> = {
  get: { method: 'GET', path: '/v1/me' },
  update: { method: 'PATCH', path: '/v1/me', body: true },
  revokeKey: { method: 'DELETE', path: '/v1/me/key' },
  changePassword: { method: 'POST', path: '/v1/me/password', body: true },
  sessions: {
    endOthers: { method: 'DELETE', path: '/v1/me/sessions' },
    list: { method: 'GET', path: '/v1/me/sessions' },
    end: { method: 'DELETE', path: '/v1/me/sessions/:sessionId' },
  },
};

export const people: Resource<PeopleMethods> = {
  list: { method: 'GET', path: '/v1/people', list: 'people' },
  delete: { method: 'DELETE', path: '/v1/people/:personId' },
  get: { method: 'GET', path: '/v1/people/:personId' },
  update: { method: 'PATCH', path: '/v1/people/:personId', body: true },
  createResetLink: { method: 'POST', path: '/v1/people/:personId/reset-links' },
};

export const projectErasures: Resource<ProjectErasuresMethods> = {
  get: { method: 'GET', path: '/v1/project-erasures/:projectErasureId' },
  wait: {
    method: 'GET',
    path: '/v1/project-erasures/:projectErasureId',
    ended: { member: 'status', values: ['completed'] },
  },
};

export const projects: Resource<ProjectsMethods> = {
  list: { method: 'GET', path: '/v1/projects', list: 'projects' },
  create: { method: 'POST', path: '/v1/projects', body: true, keyed: true },
  delete: { method: 'DELETE', path: '/v1/projects/:projectId' },
  get: { method: 'GET', path: '/v1/projects/:projectId' },
  update: { method: 'PATCH', path: '/v1/projects/:projectId', body: true },
};

export const apiKeys: Resource<ApiKeysMethods> = {
  list: { method: 'GET', path: '/v1/projects/:projectId/api-keys', list: 'apiKeys' },
  create: { method: 'POST', path: '/v1/projects/:projectId/api-keys', body: true },
  revoke: { method: 'DELETE', path: '/v1/projects/:projectId/api-keys/:keyId' },
  rotate: { method: 'POST', path: '/v1/projects/:projectId/api-keys/:keyId/rotate', body: true },
};

export const conversations: Resource<ConversationsMethods> = {
  list: { method: 'GET', path: '/v1/projects/:projectId/conversations', list: 'conversations' },
  erase: { method: 'DELETE', path: '/v1/projects/:projectId/conversations/:conversationId' },
  get: { method: 'GET', path: '/v1/projects/:projectId/conversations/:conversationId' },
  messages: { method: 'GET', path: '/v1/projects/:projectId/conversations/:conversationId/messages' },
  score: {
    method: 'POST',
    path: '/v1/projects/:projectId/conversations/:conversationId/scores',
    body: true,
    keyed: true,
  },
  count: { method: 'GET', path: '/v1/projects/:projectId/conversations/counts' },
  import: {
    method: 'POST',
    path: '/v1/projects/:projectId/conversations/import',
    body: true,
    file: 'application/x-ndjson',
    slow: true,
  },
  series: { method: 'GET', path: '/v1/projects/:projectId/conversations/series' },
  diagnosis: { method: 'GET', path: '/v1/projects/:projectId/diagnostics/conversations/:conversationId' },
};

export const datasets: Resource<DatasetsMethods> = {
  list: { method: 'GET', path: '/v1/projects/:projectId/datasets', list: 'datasets' },
  create: { method: 'POST', path: '/v1/projects/:projectId/datasets', body: true, keyed: true },
  delete: { method: 'DELETE', path: '/v1/projects/:projectId/datasets/:datasetId' },
  get: { method: 'GET', path: '/v1/projects/:projectId/datasets/:datasetId' },
  update: { method: 'PATCH', path: '/v1/projects/:projectId/datasets/:datasetId', body: true },
  export: { method: 'GET', path: '/v1/projects/:projectId/datasets/:datasetId/export', stream: 'lines', slow: true },
  import: {
    method: 'POST',
    path: '/v1/projects/:projectId/datasets/:datasetId/imports',
    body: true,
    file: 'application/x-ndjson',
    keyed: true,
    slow: true,
  },
  collection: {
    collect: { method: 'POST', path: '/v1/projects/:projectId/datasets/:datasetId/collection/collect', body: true },
    decisions: {
      method: 'GET',
      path: '/v1/projects/:projectId/datasets/:datasetId/collection/decisions',
      list: 'decisions',
    },
    preview: { method: 'POST', path: '/v1/projects/:projectId/datasets/:datasetId/collection/preview', body: true },
  },
  versions: {
    list: { method: 'GET', path: '/v1/projects/:projectId/datasets/:datasetId/versions', list: 'versions' },
    diff: { method: 'GET', path: '/v1/projects/:projectId/datasets/:datasetId/versions/diff', list: 'changes' },
  },
};

export const examples: Resource<ExamplesMethods> = {
  list: { method: 'GET', path: '/v1/projects/:projectId/datasets/:datasetId/examples', list: 'examples' },
  create: { method: 'POST', path: '/v1/projects/:projectId/datasets/:datasetId/examples', body: true, keyed: true },
  delete: { method: 'DELETE', path: '/v1/projects/:projectId/datasets/:datasetId/examples/:exampleId' },
  get: { method: 'GET', path: '/v1/projects/:projectId/datasets/:datasetId/examples/:exampleId' },
  update: { method: 'PATCH', path: '/v1/projects/:projectId/datasets/:datasetId/examples/:exampleId', body: true },
  createMany: {
    method: 'POST',
    path: '/v1/projects/:projectId/datasets/:datasetId/examples/batch',
    body: true,
    keyed: true,
  },
  updateMany: {
    method: 'POST',
    path: '/v1/projects/:projectId/datasets/:datasetId/examples/bulk-updates',
    body: true,
    keyed: true,
  },
  count: { method: 'GET', path: '/v1/projects/:projectId/datasets/:datasetId/examples/counts' },
};

export const analysisRuns: Resource<AnalysisRunsMethods> = {
  list: { method: 'GET', path: '/v1/projects/:projectId/diagnostics/analysis-runs', list: 'analysisRuns' },
  create: { method: 'POST', path: '/v1/projects/:projectId/diagnostics/analysis-runs', body: true },
  get: { method: 'GET', path: '/v1/projects/:projectId/diagnostics/analysis-runs/:analysisId' },
  wait: {
    method: 'GET',
    path: '/v1/projects/:projectId/diagnostics/analysis-runs/:analysisId',
    ended: { member: 'state', values: ['completed', 'failed'] },
  },
};

export const rules: Resource<RulesMethods> = {
  list: { method: 'GET', path: '/v1/projects/:projectId/diagnostics/rules', list: 'rules' },
  get: { method: 'GET', path: '/v1/projects/:projectId/diagnostics/rules/:ruleId' },
  update: { method: 'PATCH', path: '/v1/projects/:projectId/diagnostics/rules/:ruleId', body: true },
  backfills: {
    list: { method: 'GET', path: '/v1/projects/:projectId/diagnostics/backfill-requests', list: 'backfills' },
    cancel: { method: 'POST', path: '/v1/projects/:projectId/diagnostics/backfill-requests/:backfillId/cancel' },
    create: {
      method: 'POST',
      path: '/v1/projects/:projectId/diagnostics/rules/:ruleId/backfill-requests',
      body: true,
      keyed: true,
    },
    get: { method: 'GET', path: '/v1/projects/:projectId/diagnostics/rules/:ruleId/backfill-requests/:backfillId' },
    wait: {
      method: 'GET',
      path: '/v1/projects/:projectId/diagnostics/rules/:ruleId/backfill-requests/:backfillId',
      ended: { member: 'state', values: ['completed', 'cancelled', 'failed'] },
    },
  },
};

export const connectors: Resource<ConnectorsMethods> = {
  list: { method: 'GET', path: '/v1/projects/:projectId/diagnostics/connectors', list: 'connectors' },
  create: { method: 'POST', path: '/v1/projects/:projectId/diagnostics/connectors', body: true, keyed: true },
  delete: { method: 'DELETE', path: '/v1/projects/:projectId/diagnostics/connectors/:connectorId' },
  get: { method: 'GET', path: '/v1/projects/:projectId/diagnostics/connectors/:connectorId' },
  update: { method: 'PATCH', path: '/v1/projects/:projectId/diagnostics/connectors/:connectorId', body: true },
  test: { method: 'POST', path: '/v1/projects/:projectId/diagnostics/connectors/:connectorId/test' },
};

export const expectations: Resource<ExpectationsMethods> = {
  list: { method: 'GET', path: '/v1/projects/:projectId/diagnostics/expectations', list: 'expectations' },
  create: { method: 'POST', path: '/v1/projects/:projectId/diagnostics/expectations', body: true, keyed: true },
  delete: { method: 'DELETE', path: '/v1/projects/:projectId/diagnostics/expectations/:expectationId' },
  get: { method: 'GET', path: '/v1/projects/:projectId/diagnostics/expectations/:expectationId' },
  update: { method: 'PATCH', path: '/v1/projects/:projectId/diagnostics/expectations/:expectationId', body: true },
  check: { method: 'POST', path: '/v1/projects/:projectId/diagnostics/expectations/:expectationId/check' },
};

export const diagnostics: Resource<DiagnosticsMethods> = {
  failureRate: { method: 'GET', path: '/v1/projects/:projectId/diagnostics/failure-rate' },
  reviewDays: { method: 'GET', path: '/v1/projects/:projectId/diagnostics/review-days', list: 'days' },
  reviews: { method: 'GET', path: '/v1/projects/:projectId/diagnostics/reviews', list: 'reviews' },
  scoreCalibration: { method: 'GET', path: '/v1/projects/:projectId/diagnostics/score-calibration' },
  settings: {
    get: { method: 'GET', path: '/v1/projects/:projectId/diagnostics/settings' },
    update: { method: 'PATCH', path: '/v1/projects/:projectId/diagnostics/settings', body: true },
  },
};

export const findings: Resource<FindingsMethods> = {
  list: {
    method: 'GET',
    path: '/v1/projects/:projectId/diagnostics/findings',
    list: 'findings',
    cursor: 'pagination.nextCursor',
  },
  get: { method: 'GET', path: '/v1/projects/:projectId/diagnostics/findings/:findingId' },
  update: { method: 'PATCH', path: '/v1/projects/:projectId/diagnostics/findings/:findingId', body: true },
  assign: { method: 'PUT', path: '/v1/projects/:projectId/diagnostics/findings/:findingId/assignee', body: true },
  comment: {
    method: 'POST',
    path: '/v1/projects/:projectId/diagnostics/findings/:findingId/comments',
    body: true,
    keyed: true,
  },
  merge: { method: 'POST', path: '/v1/projects/:projectId/diagnostics/findings/:findingId/merge', body: true },
  snooze: { method: 'PUT', path: '/v1/projects/:projectId/diagnostics/findings/:findingId/snooze', body: true },
  split: {
    method: 'POST',
    path: '/v1/projects/:projectId/diagnostics/findings/:findingId/split',
    body: true,
    keyed: true,
  },
  unmerge: { method: 'POST', path: '/v1/projects/:projectId/diagnostics/findings/:findingId/unmerge' },
  updateMany: { method: 'POST', path: '/v1/projects/:projectId/diagnostics/findings/bulk-updates', body: true },
  count: { method: 'GET', path: '/v1/projects/:projectId/diagnostics/findings/counts' },
  discover: { method: 'POST', path: '/v1/projects/:projectId/diagnostics/findings/discover', body: true },
  series: { method: 'GET', path: '/v1/projects/:projectId/diagnostics/findings/series' },
  activity: {
    list: { method: 'GET', path: '/v1/projects/:projectId/diagnostics/findings/:findingId/activity', list: 'activity' },
    get: { method: 'GET', path: '/v1/projects/:projectId/diagnostics/findings/:findingId/activity/:activityId' },
  },
  occurrences: {
    count: { method: 'GET', path: '/v1/projects/:projectId/diagnostics/findings/:findingId/occurrence-counts' },
    list: {
      method: 'GET',
      path: '/v1/projects/:projectId/diagnostics/findings/:findingId/occurrences',
      list: 'occurrences',
    },
  },
};

export const workItems: Resource<WorkItemsMethods> = {
  listOfFinding: {
    method: 'GET',
    path: '/v1/projects/:projectId/diagnostics/findings/:findingId/work-items',
    list: 'workItems',
  },
  create: {
    method: 'POST',
    path: '/v1/projects/:projectId/diagnostics/findings/:findingId/work-items',
    body: true,
    keyed: true,
  },
  get: { method: 'GET', path: '/v1/projects/:projectId/diagnostics/findings/:findingId/work-items/:workItemId' },
  abandon: {
    method: 'POST',
    path: '/v1/projects/:projectId/diagnostics/findings/:findingId/work-items/:workItemId/abandon',
  },
  replace: {
    method: 'POST',
    path: '/v1/projects/:projectId/diagnostics/findings/:findingId/work-items/:workItemId/replacements',
    body: true,
    keyed: true,
  },
  retry: {
    method: 'POST',
    path: '/v1/projects/:projectId/diagnostics/findings/:findingId/work-items/:workItemId/retry',
  },
  sync: { method: 'POST', path: '/v1/projects/:projectId/diagnostics/findings/:findingId/work-items/:workItemId/sync' },
  list: { method: 'GET', path: '/v1/projects/:projectId/diagnostics/work-items', list: 'workItems' },
};

export const erasures: Resource<ErasuresMethods> = {
  list: { method: 'GET', path: '/v1/projects/:projectId/erasures', list: 'erasures' },
  get: { method: 'GET', path: '/v1/projects/:projectId/erasures/:erasureId' },
  wait: {
    method: 'GET',
    path: '/v1/projects/:projectId/erasures/:erasureId',
    ended: { member: 'status', values: ['completed'] },
  },
};

export const events: Resource<EventsMethods> = {
  listen: { method: 'GET', path: '/v1/projects/:projectId/events', stream: 'events' },
};

export const knowledge: Resource<KnowledgeMethods> = {
  recall: { method: 'POST', path: '/v1/projects/:projectId/knowledge/context', body: true },
  search: { method: 'GET', path: '/v1/projects/:projectId/knowledge/search' },
  eraseSubject: { method: 'POST', path: '/v1/projects/:projectId/knowledge/subject-erasures', body: true },
  backfills: {
    list: { method: 'GET', path: '/v1/projects/:projectId/knowledge/backfills', list: 'backfills' },
    listOfGoal: { method: 'GET', path: '/v1/projects/:projectId/knowledge/goals/:goalId/backfills', list: 'backfills' },
    create: {
      method: 'POST',
      path: '/v1/projects/:projectId/knowledge/goals/:goalId/backfills',
      body: true,
      keyed: true,
    },
    get: { method: 'GET', path: '/v1/projects/:projectId/knowledge/goals/:goalId/backfills/:backfillId' },
    wait: {
      method: 'GET',
      path: '/v1/projects/:projectId/knowledge/goals/:goalId/backfills/:backfillId',
      ended: { member: 'state', values: ['completed', 'failed', 'cancelled'] },
    },
    cancel: { method: 'POST', path: '/v1/projects/:projectId/knowledge/goals/:goalId/backfills/:backfillId/cancel' },
  },
  items: {
    export: { method: 'GET', path: '/v1/projects/:projectId/knowledge/export', stream: 'lines', slow: true },
    list: { method: 'GET', path: '/v1/projects/:projectId/knowledge/items', list: 'items' },
    create: { method: 'POST', path: '/v1/projects/:projectId/knowledge/items', body: true, keyed: true },
    get: { method: 'GET', path: '/v1/projects/:projectId/knowledge/items/:itemId' },
    update: { method: 'PATCH', path: '/v1/projects/:projectId/knowledge/items/:itemId', body: true },
    revisions: { method: 'GET', path: '/v1/projects/:projectId/knowledge/items/:itemId/revisions', list: 'revisions' },
    undo: { method: 'POST', path: '/v1/projects/:projectId/knowledge/items/:itemId/undo' },
    updateMany: {
      method: 'POST',
      path: '/v1/projects/:projectId/knowledge/items/bulk-updates',
      body: true,
      keyed: true,
    },
    count: { method: 'GET', path: '/v1/projects/:projectId/knowledge/items/counts' },
  },
  goals: {
    list: { method: 'GET', path: '/v1/projects/:projectId/knowledge/goals', list: 'goals' },
    create: { method: 'POST', path: '/v1/projects/:projectId/knowledge/goals', body: true, keyed: true },
    get: { method: 'GET', path: '/v1/projects/:projectId/knowledge/goals/:goalId' },
    update: { method: 'PATCH', path: '/v1/projects/:projectId/knowledge/goals/:goalId', body: true },
  },
  settings: {
    get: { method: 'GET', path: '/v1/projects/:projectId/knowledge/settings' },
    update: { method: 'PATCH', path: '/v1/projects/:projectId/knowledge/settings', body: true },
  },
};

export const members: Resource<MembersMethods> = {
  list: { method: 'GET', path: '/v1/projects/:projectId/members', list: 'members' },
  remove: { method: 'DELETE', path: '/v1/projects/:projectId/members/:userId' },
  set: { method: 'PUT', path: '/v1/projects/:projectId/members/:userId', body: true },
};

export const models: Resource<ModelsMethods> = {
  get: { method: 'GET', path: '/v1/projects/:projectId/models/:modelId' },
  hubDetails: { method: 'GET', path: '/v1/projects/:projectId/models/:modelId/hub-details' },
  trial: {
    method: 'POST',
    path: '/v1/projects/:projectId/models/:modelId/profiles/:profileId/trials',
    body: true,
    stream: 'events',
    either: true,
    slow: true,
  },
  activity: { method: 'GET', path: '/v1/projects/:projectId/models/activity', stream: 'events', either: true },
  availability: { method: 'GET', path: '/v1/projects/:projectId/models/availability' },
  list: {
    method: 'GET',
    path: '/v1/projects/:projectId/models/catalog',
    list: 'page.models',
    cursor: 'page.nextCursor',
  },
  refreshCatalog: { method: 'POST', path: '/v1/projects/:projectId/models/catalog-refreshes', body: true },
  import: { method: 'POST', path: '/v1/projects/:projectId/models/imports/hub', body: true, keyed: true },
  runtime: { method: 'GET', path: '/v1/projects/:projectId/models/runtime' },
  usage: { method: 'GET', path: '/v1/projects/:projectId/models/usage', list: 'usage' },
  profiles: {
    remove: { method: 'DELETE', path: '/v1/projects/:projectId/models/:modelId/profiles/:profileId' },
    get: { method: 'GET', path: '/v1/projects/:projectId/models/:modelId/profiles/:profileId' },
  },
  downloads: {
    start: {
      method: 'POST',
      path: '/v1/projects/:projectId/models/:modelId/profiles/:profileId/downloads',
      body: true,
    },
    remove: {
      method: 'DELETE',
      path: '/v1/projects/:projectId/models/:modelId/profiles/:profileId/downloads/:generation',
    },
  },
  services: {
    stop: { method: 'DELETE', path: '/v1/projects/:projectId/models/:modelId/profiles/:profileId/service' },
    start: { method: 'PUT', path: '/v1/projects/:projectId/models/:modelId/profiles/:profileId/service', body: true },
  },
  engines: {
    remove: { method: 'DELETE', path: '/v1/projects/:projectId/models/engines/:engine' },
    install: { method: 'POST', path: '/v1/projects/:projectId/models/engines/:engine/installations', body: true },
    removeInstallation: {
      method: 'DELETE',
      path: '/v1/projects/:projectId/models/engines/:engine/installations/:generation',
    },
  },
  hubToken: {
    delete: { method: 'DELETE', path: '/v1/projects/:projectId/models/hub-token' },
    get: { method: 'GET', path: '/v1/projects/:projectId/models/hub-token' },
    set: { method: 'PUT', path: '/v1/projects/:projectId/models/hub-token', body: true },
  },
  settings: {
    get: { method: 'GET', path: '/v1/projects/:projectId/models/settings' },
    update: { method: 'PATCH', path: '/v1/projects/:projectId/models/settings', body: true },
  },
};

export const providers: Resource<ProvidersMethods> = {
  list: { method: 'GET', path: '/v1/projects/:projectId/models/providers', list: 'providers' },
  create: { method: 'POST', path: '/v1/projects/:projectId/models/providers', body: true, keyed: true },
  delete: { method: 'DELETE', path: '/v1/projects/:projectId/models/providers/:name' },
  get: { method: 'GET', path: '/v1/projects/:projectId/models/providers/:name' },
  update: { method: 'PATCH', path: '/v1/projects/:projectId/models/providers/:name', body: true },
  test: { method: 'POST', path: '/v1/projects/:projectId/models/providers/:name/test' },
};

export const quotas: Resource<QuotasMethods> = {
  get: { method: 'GET', path: '/v1/projects/:projectId/quotas' },
  set: { method: 'PUT', path: '/v1/projects/:projectId/quotas', body: true },
};

export const traces: Resource<TracesMethods> = {
  get: { method: 'GET', path: '/v1/projects/:projectId/traces/:traceId', list: 'spans' },
};

export const usage: Resource<UsageMethods> = {
  ofProject: { method: 'GET', path: '/v1/projects/:projectId/usage' },
  ofWorkspace: { method: 'GET', path: '/v1/usage' },
};

export const webhooks: Resource<WebhooksMethods> = {
  list: { method: 'GET', path: '/v1/projects/:projectId/webhooks', list: 'webhooks' },
  create: { method: 'POST', path: '/v1/projects/:projectId/webhooks', body: true },
  delete: { method: 'DELETE', path: '/v1/projects/:projectId/webhooks/:webhookId' },
  get: { method: 'GET', path: '/v1/projects/:projectId/webhooks/:webhookId' },
  update: { method: 'PATCH', path: '/v1/projects/:projectId/webhooks/:webhookId', body: true },
  rotateSecret: { method: 'POST', path: '/v1/projects/:projectId/webhooks/:webhookId/rotate', body: true },
  test: { method: 'POST', path: '/v1/projects/:projectId/webhooks/:webhookId/test' },
  deliveries: {
    list: { method: 'GET', path: '/v1/projects/:projectId/webhooks/:webhookId/deliveries', list: 'deliveries' },
    get: { method: 'GET', path: '/v1/projects/:projectId/webhooks/:webhookId/deliveries/:deliveryId' },
    redeliver: { method: 'POST', path: '/v1/projects/:projectId/webhooks/:webhookId/deliveries/:deliveryId/redeliver' },
  },
};
