// Generated from the route specs by `npm run generate`; not to be edited.

export type ClientOptions = {
  baseUrl: `${string}://${string}` | (string & {});
};

/**
 * As the OpenAI API has it
 */
export type TranscriptionRequest = {
  model: string;
  file: Blob | File;
  [key: string]: unknown;
};

/**
 * As the OpenAI API has it
 */
export type ChatCompletionRequest = {
  model: string;
  messages: Array<{
    role: string;
    [key: string]: unknown;
  }>;
  stream?: boolean | null;
  [key: string]: unknown;
};

/**
 * As the OpenAI API has it
 */
export type CompletionRequest = {
  model: string;
  prompt?: unknown;
  stream?: boolean | null;
  [key: string]: unknown;
};

/**
 * As the OpenAI API has it
 */
export type EmbeddingsRequest = {
  model: string;
  input: unknown;
  [key: string]: unknown;
};

export type DatasetSchema = {
  type: 'chat';
  version: 1;
};

export type NewExample = {
  payload: ExamplePayload;
  source: ExampleSource;
  tags?: Array<string>;
};

export type ExamplePayload = {
  expectedOutput?: ExampleOutput;
  input: ExampleInput;
  rejectedOutput?: ExampleOutput;
  rubric?: ExampleRubric;
};

export type ExampleOutput =
  | {
      message: {
        /**
         * A text, a list of parts (each with a `type`), or null where a message only calls tools
         */
        content:
          | string
          | Array<{
              [key: string]: unknown;
            }>
          | null;
        name?: string;
        role: 'assistant';
        toolCalls?: Array<{
          /**
           * The parsed JSON, or the raw text where it is not JSON
           */
          arguments: unknown;
          id?: string;
          name: string;
        }>;
      };
      type: 'chat_message';
    }
  | {
      text: string;
      type: 'text';
    }
  | {
      type: 'json';
      value: unknown;
    }
  | {
      label: string;
      type: 'classification';
    };

export type ExampleInput =
  | {
      messages: Array<ExampleMessage>;
      parallelToolCalls?: boolean;
      /**
       * Tools that were offered, as the provider takes them
       */
      tools?: Array<{
        [key: string]: unknown;
      }>;
      type: 'chat';
    }
  | {
      prompt: string;
      system?: string;
      type: 'prompt';
    }
  | {
      context?: string;
      instruction: string;
      type: 'instruction';
    }
  | {
      text: string;
      type: 'text';
    }
  | {
      type: 'json';
      value: unknown;
    };

export type ExampleMessage = {
  /**
   * A text, a list of parts (each with a `type`), or null where a message only calls tools
   */
  content:
    | string
    | Array<{
        [key: string]: unknown;
      }>
    | null;
  name?: string;
  role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  /**
   * On role tool: the call that this answers
   */
  toolCallId?: string;
  toolCalls?: Array<{
    /**
     * The parsed JSON, or the raw text where it is not JSON
     */
    arguments: unknown;
    id?: string;
    name: string;
  }>;
};

export type ExampleRubric = {
  criteria: string | Array<string>;
  scoring?: Array<{
    description?: string;
    label: string;
    score: number;
  }>;
};

export type ExampleSource =
  | {
      conversationId?: string;
      /**
       * Groups Examples of one origin; batch and import upsert by it
       */
      derivationKey?: string;
      externalRef?: string;
      kind: 'manual';
      traceIds?: Array<string>;
    }
  | {
      conversationId: string;
      /**
       * Groups Examples of one origin; batch and import upsert by it
       */
      derivationKey?: string;
      externalRef?: string;
      kind: 'conversation';
      traceIds: Array<string>;
    }
  | {
      conversationId?: string;
      /**
       * Groups Examples of one origin; batch and import upsert by it
       */
      derivationKey?: string;
      externalRef: string;
      kind: 'import';
      traceIds?: Array<string>;
    }
  | {
      conversationId?: string;
      /**
       * Groups Examples of one origin; batch and import upsert by it
       */
      derivationKey?: string;
      externalRef?: string;
      kind: 'synthetic';
      traceIds?: Array<string>;
    };

export type ExpectationCheck =
  | {
      form: 'confirm_before';
      /**
       * The agent whose steps are checked; without it, all agents
       */
      agent?: string;
      tools: Array<string>;
    }
  | {
      form: 'requires_first';
      /**
       * The agent whose steps are checked; without it, all agents
       */
      agent?: string;
      tools: Array<string>;
      one_of: Array<string>;
    }
  | {
      form: 'never_call';
      /**
       * The agent whose steps are checked; without it, all agents
       */
      agent?: string;
      tools: Array<string>;
    }
  | {
      form: 'max_calls';
      /**
       * The agent whose steps are checked; without it, all agents
       */
      agent?: string;
      tools: Array<string>;
      count: number;
    }
  | {
      form: 'one_call_at_a_time';
      /**
       * The agent whose steps are checked; without it, all agents
       */
      agent?: string;
    }
  | {
      form: 'no_words_with_calls';
      /**
       * The agent whose steps are checked; without it, all agents
       */
      agent?: string;
    }
  | {
      form: 'grounded_arguments';
      /**
       * The agent whose steps are checked; without it, all agents
       */
      agent?: string;
      tools: Array<string>;
      /**
       * The parameters that are checked; without it, every value that looks like an id, number or address
       */
      parameters?: Array<string>;
    }
  | {
      form: 'answer_matches';
      /**
       * The agent whose steps are checked; without it, all agents
       */
      agent?: string;
      /**
       * A regular expression in the syntax of RE2
       */
      pattern: string;
    }
  | {
      form: 'answer_never_matches';
      /**
       * The agent whose steps are checked; without it, all agents
       */
      agent?: string;
      /**
       * A regular expression in the syntax of RE2
       */
      pattern: string;
    }
  | {
      form: 'ends_with';
      /**
       * The agent whose steps are checked; without it, all agents
       */
      agent?: string;
      tools?: Array<string>;
      /**
       * A regular expression in the syntax of RE2
       */
      pattern?: string;
    };

export type FindingStatusChange = {
  reviewStatus?: 'unreviewed' | 'confirmed' | 'dismissed';
  resolutionStatus?: 'resolved' | 'unresolved';
};

export type NewSnooze = {
  /**
   * Unix epoch milliseconds
   */
  until?: number;
  furtherOccurrences?: number;
};

export type SplitCondition = {
  conversationIds?: Array<string>;
  /**
   * A signal of the Rule: those in which it fired, and that will
   */
  signal?: string;
};

export type NewWorkItem =
  | {
      provider: 'github' | 'provider_1';
      destination?: {
        owner: string;
        repo: string;
      };
      /**
       * Absent: the default one of the provider
       */
      connectorId?: string;
      /**
       * URL or key of an issue that exists already; it is taken over and not made
       */
      existing?: string;
    }
  | {
      provider: 'gitlab' | 'provider_2';
      destination?: {
        projectId: number | string;
      };
      /**
       * Absent: the default one of the provider
       */
      connectorId?: string;
      /**
       * URL or key of an issue that exists already; it is taken over and not made
       */
      existing?: string;
    }
  | {
      provider: 'jira' | 'provider_3';
      destination?: {
        projectKey: string;
        /**
         * Id or name of the type; Bug, else Task, else the first that is no subtask
         */
        issueType?: string;
      };
      /**
       * Absent: the default one of the provider
       */
      connectorId?: string;
      /**
       * URL or key of an issue that exists already; it is taken over and not made
       */
      existing?: string;
    }
  | {
      provider: 'linear' | 'provider_4';
      destination?: {
        teamId: string;
      };
      /**
       * Absent: the default one of the provider
       */
      connectorId?: string;
      /**
       * URL or key of an issue that exists already; it is taken over and not made
       */
      existing?: string;
    };

export type FindingChange = {
  reviewStatus?: 'unreviewed' | 'confirmed' | 'dismissed';
  resolutionStatus?: 'resolved' | 'unresolved';
  assignee?: string | null;
  snooze?: NewSnooze | null;
};

export type KnowledgeSettings = {
  /**
   * Whether Knowledge is extracted from conversations by itself
   */
  extractionEnabled: boolean;
};

export type ServiceOptions = {
  contextLength?: number;
  parallelRequests?: number;
  /**
   * Unused for so long, it is stopped; null keeps it running
   */
  idleTimeoutMs?: number | null;
};

/**
 * What a model costs; none are built in
 */
export type ModelPrice = {
  model: string;
  inputPerMillionTokens: string;
  outputPerMillionTokens: string;
  currency: string;
};

export type MaskingPattern = {
  /**
   * Shown in the mask: `[masked <name>]`. A name such as `card` counts as that kind
   */
  name: string;
  /**
   * A regular expression in the syntax of RE2, which does not match empty text
   */
  pattern: string;
  /**
   * Mask in place of `[masked <name>]`
   */
  replacement?: string;
};

export type WebhookEventChoice =
  | '*'
  | 'finding.*'
  | 'work_item.*'
  | 'knowledge_item.*'
  | 'dataset.*'
  | 'failure_rate.*'
  | 'backfill.*'
  | 'finding.created'
  | 'finding.resolved'
  | 'finding.regressed'
  | 'finding.changed'
  | 'work_item.created'
  | 'work_item.sync_failed'
  | 'work_item.changed'
  | 'knowledge_item.created'
  | 'knowledge_item.changed'
  | 'dataset.changed'
  | 'dataset.deleted'
  | 'failure_rate.exceeded'
  | 'backfill.ended';

export type FindingEvent = {
  projectId: string;
  findingId: string;
  ruleId: string;
  ruleKey: string;
  categoryKey: string;
  reviewStatus: 'unreviewed' | 'confirmed' | 'dismissed';
  resolutionStatus: 'unresolved' | 'awaiting_verification' | 'resolved' | 'regressed';
  severity: 'critical' | 'high' | 'medium' | 'low' | 'info';
  /**
   * false: no conversation shows it, and nobody has reviewed it
   */
  listed: boolean;
  occurrenceCount: number;
  /**
   * That of its primary occurrence
   */
  conversationId: string;
  snoozed?: boolean;
  /**
   * The Finding that its conversations count for
   */
  mergedInto?: string;
  splitFrom?: string;
  /**
   * null: the Finding is gone by now
   */
  title: string | null;
  /**
   * What it was before; null where that is not known
   */
  previous: {
    reviewStatus: 'unreviewed' | 'confirmed' | 'dismissed';
    resolutionStatus: 'unresolved' | 'awaiting_verification' | 'resolved' | 'regressed';
    severity: 'critical' | 'high' | 'medium' | 'low' | 'info';
    /**
     * false: no conversation shows it, and nobody has reviewed it
     */
    listed: boolean;
  } | null;
  /**
   * Who did it; null where conversations brought it about
   */
  actor: {
    kind: 'key' | 'user' | 'service';
    id: string;
  } | null;
  /**
   * Of two tellings of a Finding the one with the higher holds
   */
  sequence: number;
};

export type WorkItemEvent = {
  projectId: string;
  /**
   * Who did it; absent where the provider brought it about
   */
  actor?: {
    kind: 'key' | 'user' | 'service';
    id: string;
  };
  /**
   * updated: what the provider did or answered
   */
  change: 'created' | 'updated' | 'retried' | 'replaced' | 'abandoned';
  workItemId: string;
  findingId: string;
  provider: TrackerProvider;
  status: 'provisioning' | 'planned' | 'in_progress' | 'done';
  doneReason: 'completed' | 'not_planned' | 'cancelled' | 'duplicate' | null;
  syncState: 'pending' | 'synced' | 'error';
  syncError: string | null;
  externalUrl: string | null;
  isPrimary: boolean;
  replacedBy: string | null;
  /**
   * Of two tellings of a work item the one with the higher holds
   */
  sequence: number;
};

export type TrackerProvider = 'github' | 'gitlab' | 'jira' | 'linear';

export type KnowledgeItemEvent = {
  projectId: string;
  itemId: string;
  goalId: string;
  status: 'active' | 'archived' | 'erased';
  kind: 'fact' | 'preference' | 'procedure' | 'correction' | 'policy';
  authority: 'person_written' | 'project_stated' | 'user_stated' | 'tool_observed' | 'assistant_inferred';
  /**
   * Of two tellings of an item the one with the later holds: it was made again after its erasure
   */
  createdAt?: number;
  /**
   * Of two tellings with the same createdAt the one with the higher holds
   */
  revision: number;
};

export type DatasetEvent = {
  projectId: string;
  datasetId: string;
  version: number;
  contentId: string;
  exampleCount: number;
};

export type DatasetDeletedEvent = {
  projectId: string;
  datasetId: string;
};

export type FailureRateEvent = {
  projectId: string;
  /**
   * Estimated share of conversations that failed
   */
  rate: number;
  /**
   * Lower end of its 95% interval
   */
  low: number;
  high: number;
  /**
   * Conversations drawn at random that a model has read
   */
  reviewed: number;
  /**
   * Bound of the webhook
   */
  above: number;
  /**
   * Begin of the time that it is about
   */
  startMs: number;
  endMs: number;
};

export type BackfillEvent =
  | {
      projectId: string;
      kind: 'rule';
      backfillId: string;
      state: 'completed' | 'cancelled' | 'failed';
      failureReason: string | null;
      /**
       * Unix epoch milliseconds
       */
      startMs: number;
      /**
       * Unix epoch milliseconds
       */
      endMs: number;
      conversationsSeen: number;
      ruleId: string;
      runsQueued: number;
    }
  | {
      projectId: string;
      kind: 'knowledge';
      backfillId: string;
      state: 'completed' | 'cancelled' | 'failed';
      failureReason: string | null;
      /**
       * Unix epoch milliseconds
       */
      startMs: number;
      /**
       * Unix epoch milliseconds
       */
      endMs: number;
      conversationsSeen: number;
      goalId: string;
      conversationsFailed: number;
      itemsCreated: number;
      itemsMerged: number;
    };

export type PingEvent = {
  projectId: string;
  webhookId: string;
};

/**
 * The error body of the inference routes, as clients of the OpenAI API read it
 */
export type OpenAiError = {
  error: {
    message: string;
    type: string;
    param: string | null;
    code: string | null;
    /**
     * With FORBIDDEN, one entry for each right that would do: its kind (`scope` or `permission`) in `path`, its name in `message`.
     */
    details?: Array<{
      path: string;
      message: string;
    }>;
    /**
     * With quota_exceeded
     */
    quota?: QuotaRefusal;
  };
};

/**
 * The quota of a project that refused a request
 */
export type QuotaRefusal = {
  /**
   * Name of the quota
   */
  quota: string;
  limit: number;
  used: number;
  /**
   * When it opens; null if data has to be removed first
   */
  opensAtMs: number | null;
};

/**
 * The error body of all routes but those of inference
 */
export type Error = {
  /**
   * The reason phrase of the status
   */
  error: string;
  message: string;
  code?: string;
  /**
   * What is wrong with which field. With FORBIDDEN, one entry for each right that would do: its kind (`scope` or `permission`) in `path`, its name in `message`.
   */
  details?: Array<{
    path: string;
    message: string;
  }>;
  /**
   * With QUOTA_EXCEEDED
   */
  quota?: QuotaRefusal;
  requestId: string;
};

/**
 * Liveness of one process; it proves nothing about its dependencies
 */
export type HealthStatus = {
  /**
   * `stuck`, with 503: a loop of the process no longer turns
   */
  status: 'ok' | 'stuck';
  service: string;
  version: string;
  deploymentTarget: 'server' | 'edge';
  uptimeMs: number;
};

export type AuditRecord = {
  id: string;
  /**
   * Unix epoch milliseconds
   */
  at: number;
  /**
   * An area and a deed, as `api-key.revoked`; a later version may know more
   */
  action: string;
  actor: AuditActor;
  target: {
    kind: string;
    id: string;
  };
  /**
   * Null for what concerns the workspace, or more than one project
   */
  projectId: string | null;
  /**
   * Where the request came from
   */
  address: string | null;
  requestId: string;
  /**
   * What was changed, as it was; never a secret
   */
  before: {
    [key: string]: unknown;
  } | null;
  /**
   * The same, as it is from then on
   */
  after: {
    [key: string]: unknown;
  } | null;
};

export type AuditActor = {
  kind: 'user' | 'key' | 'bootstrap' | 'system';
  id: string;
};

export type ApiKey = {
  id: string;
  name: string;
  /**
   * The first characters of the secret, to recognise it by
   */
  start: string;
  scopes: Array<
    | 'workspace:read'
    | 'workspace:write'
    | 'models:manage'
    | 'gateway:invoke'
    | 'project:data:write'
    | 'diagnostics:read'
    | 'diagnostics:write'
    | 'telemetry:write'
    | 'workspace:admin'
  >;
  projectIds: 'all' | Array<string>;
  expiresAt: number | null;
  /**
   * Written at most once in 30 s
   */
  lastUsedAt: number | null;
  rotatedFrom: string | null;
  /**
   * Its maker: the id of a key or of a person, or `bootstrap`
   */
  createdBy: string;
  /**
   * Name of the person who made it, or who approved the device that has it; null without such a person
   */
  createdByName: string | null;
  /**
   * Unix epoch milliseconds
   */
  createdAt: number;
};

export type OpenInvitation = {
  email: string;
  /**
   * Name of the workspace
   */
  workspace: string;
  /**
   * Role in the workspace, if any
   */
  role: 'owner' | null;
  projectRoles: Array<{
    projectId: string;
    project: string;
    role: 'viewer' | 'editor' | 'admin';
  }>;
  /**
   * Whether the address has an account, which is then asked for its password, and no new one is made
   */
  hasAccount: boolean;
  /**
   * Whether a password accepts it: a new one, or that of the account; otherwise a sign-in provider does, which says that the address is theirs
   */
  takesPassword: boolean;
  /**
   * Unix epoch milliseconds
   */
  expiresAt: number;
};

export type Person = {
  id: string;
  email: string;
  name: string;
  /**
   * Whether the whole workspace is open to this person
   */
  owner: boolean;
  state: 'active' | 'deactivated';
  memberships: Array<{
    projectId: string;
    role: 'viewer' | 'editor' | 'admin';
    /**
     * The sign-in provider that gave the role, which is then not changed here
     */
    managedBy?: string;
  }>;
  /**
   * Unix epoch milliseconds
   */
  createdAt: number;
  /**
   * Unix epoch milliseconds
   */
  updatedAt: number;
  lastSignedInAt: number | null;
};

export type OpenReset = {
  email: string;
  name: string;
  /**
   * Unix epoch milliseconds
   */
  expiresAt: number;
};

/**
 * As the OpenAI API has it; the last event is `[DONE]`, which is not JSON. If the provider fails in the middle, the last event is an error in the form of the OpenAI API.
 */
export type ChatCompletionChunk = {
  id?: string;
  object?: string;
  created?: number;
  model?: string;
  choices?: Array<{
    index?: number;
    delta?: {
      role?: string | null;
      content?: string | null;
      refusal?: string | null;
      [key: string]: unknown;
    } | null;
    finish_reason?: string | null;
    [key: string]: unknown;
  }> | null;
  /**
   * With `stream_options.include_usage`, in the last chunk
   */
  usage?: {
    [key: string]: unknown;
  } | null;
  [key: string]: unknown;
};

/**
 * As the OpenAI API has it; the last event is `[DONE]`, which is not JSON. If the provider fails in the middle, the last event is an error in the form of the OpenAI API.
 */
export type CompletionChunk = {
  id?: string;
  object?: string;
  created?: number;
  model?: string;
  choices?: Array<{
    index?: number;
    text?: string | null;
    finish_reason?: string | null;
    [key: string]: unknown;
  }> | null;
  usage?: {
    [key: string]: unknown;
  } | null;
  [key: string]: unknown;
};

export type HealthSignals = {
  /**
   * From the receipt of telemetry until it can be read
   */
  evidenceVisibility: HealthSignal;
  /**
   * From a ready conversation until its Rules have ended
   */
  diagnosticExecution: HealthSignal;
  queueProcessing: QueueProcessingSignal;
  /**
   * Work items and their issues: creation, synchronization, comments. `not_mounted`: there are none here
   */
  repairStatusSync: RepairSignal;
  dataRetention: {
    telemetry: RetentionSignal;
    rawPayload: RetentionSignal;
    maintenance: RetentionSignal;
  };
};

export type HealthSignal = {
  /**
   * What waits; counting may end at 10,000
   */
  backlog?: number;
  /**
   * For how long the first of it has waited
   */
  oldestAgeMs?: number;
  /**
   * What was given up, and waits for a person
   */
  givenUp?: number;
  /**
   * `bad`: something has waited for too long, or was given up. `unknown`: nobody can tell at the moment
   */
  status: 'ok' | 'bad' | 'unknown';
  /**
   * What is wrong; null where nothing is
   */
  reason: string | null;
  /**
   * Of the project of a caller who is not told the figures of all, among the first 1,000 that wait; absent where the caller opens several and names none in `x-clew-project`
   */
  share?: {
    /**
     * What waits; counting may end at 10,000
     */
    backlog: number;
    /**
     * For how long the first of it has waited
     */
    oldestAgeMs: number;
    /**
     * What was given up, and waits for a person
     */
    givenUp: number;
  };
};

export type QueueProcessingSignal = {
  /**
   * What waits; counting may end at 10,000
   */
  backlog?: number;
  /**
   * For how long the first of it has waited
   */
  oldestAgeMs?: number;
  /**
   * What was given up, and waits for a person
   */
  givenUp?: number;
  /**
   * `bad`: something has waited for too long, or was given up. `unknown`: nobody can tell at the moment
   */
  status: 'ok' | 'bad' | 'unknown';
  /**
   * What is wrong; null where nothing is
   */
  reason: string | null;
  /**
   * Of the project of a caller who is not told the figures of all, among the first 1,000 that wait; absent where the caller opens several and names none in `x-clew-project`
   */
  share?: {
    /**
     * What waits; counting may end at 10,000
     */
    backlog: number;
    /**
     * For how long the first of it has waited
     */
    oldestAgeMs: number;
    /**
     * What was given up, and waits for a person
     */
    givenUp: number;
  };
  queues: Array<QueueSignal>;
};

export type QueueSignal = {
  depth?: number;
  /**
   * For how long it has been seen to hold messages, and none fewer
   */
  oldestAgeMs?: number;
  deadLetters?: number;
  consumers?: number;
  queue: string;
  /**
   * `bad`: something has waited for too long, or was given up. `unknown`: nobody can tell at the moment
   */
  status: 'ok' | 'bad' | 'unknown';
  /**
   * What is wrong; null where nothing is
   */
  reason: string | null;
};

export type RepairSignal = {
  /**
   * What waits; counting may end at 10,000
   */
  backlog?: number;
  /**
   * For how long the first of it has waited
   */
  oldestAgeMs?: number;
  /**
   * What was given up, and waits for a person
   */
  givenUp?: number;
  status: 'ok' | 'bad' | 'unknown' | 'not_mounted';
  /**
   * What is wrong; null where nothing is
   */
  reason: string | null;
  /**
   * Of the project of a caller who is not told the figures of all, among the first 1,000 that wait; absent where the caller opens several and names none in `x-clew-project`
   */
  share?: {
    /**
     * What waits; counting may end at 10,000
     */
    backlog: number;
    /**
     * For how long the first of it has waited
     */
    oldestAgeMs: number;
    /**
     * What was given up, and waits for a person
     */
    givenUp: number;
  };
};

export type RetentionSignal = {
  /**
   * What waits; counting may end at 10,000
   */
  backlog?: number;
  /**
   * For how long the first of it has waited
   */
  oldestAgeMs?: number;
  /**
   * What was given up, and waits for a person
   */
  givenUp?: number;
  /**
   * When a run last came to an end; null before the first time
   */
  lastRunAt?: number | null;
  /**
   * `bad`: something has waited for too long, or was given up. `unknown`: nobody can tell at the moment
   */
  status: 'ok' | 'bad' | 'unknown';
  /**
   * What is wrong; null where nothing is
   */
  reason: string | null;
};

export type Invitation = {
  id: string;
  email: string;
  /**
   * Role in the workspace, if any
   */
  role: 'owner' | null;
  projectRoles: Array<{
    projectId: string;
    role: 'viewer' | 'editor' | 'admin';
  }>;
  /**
   * Delivery of the link by mail; the link works without it
   */
  mail: 'off' | 'sending' | 'sent' | 'failed';
  /**
   * Maker of its link: the id of a person or a key, without whose rights the link stops working
   */
  createdBy: string;
  /**
   * Unix epoch milliseconds
   */
  createdAt: number;
  /**
   * Unix epoch milliseconds
   */
  expiresAt: number;
};

export type InvitationLink = {
  invitation: Invitation;
  /**
   * Works once; only a hash of its token is kept, so it is shown this once
   */
  link: string;
};

export type Me = {
  kind: 'key' | 'user';
  id: string;
  scopes?: Array<
    | 'workspace:read'
    | 'workspace:write'
    | 'models:manage'
    | 'gateway:invoke'
    | 'project:data:write'
    | 'diagnostics:read'
    | 'diagnostics:write'
    | 'telemetry:write'
    | 'workspace:admin'
  >;
  /**
   * Of a person: what they may do in one project or another
   */
  permissions?: Array<
    | 'project:read'
    | 'project:data:read'
    | 'project:diagnostics:read'
    | 'project:update'
    | 'project:data:write'
    | 'project:diagnostics:write'
    | 'gateway:invoke'
    | 'project:models:manage'
    | 'project:members:manage'
    | 'project:keys:manage'
    | 'workspace:admin'
  >;
  projectIds: 'all' | Array<string>;
  name?: string;
  email?: string;
  /**
   * Of a person: whether all projects are open to them
   */
  owner?: boolean;
  /**
   * Of a person who is no owner: what they may do, by project
   */
  memberships?: Array<{
    projectId: string;
    role: 'viewer' | 'editor' | 'admin';
    permissions: Array<
      | 'project:read'
      | 'project:data:read'
      | 'project:diagnostics:read'
      | 'project:update'
      | 'project:data:write'
      | 'project:diagnostics:write'
      | 'gateway:invoke'
      | 'project:models:manage'
      | 'project:members:manage'
      | 'project:keys:manage'
      | 'workspace:admin'
    >;
  }>;
  features: Features;
  version: string;
};

/**
 * What this deployment has
 */
export type Features = {
  rules: boolean;
  workItems: boolean;
  modelRuntime: boolean;
  mail: boolean;
};

export type Session = {
  id: string;
  /**
   * Whether it is the session of this request
   */
  current: boolean;
  method: 'password' | 'link' | 'oidc' | 'device' | 'invitation' | 'reset';
  /**
   * Unix epoch milliseconds
   */
  createdAt: number;
  /**
   * Written at most once a minute
   */
  lastSeenAt: number;
  /**
   * When it ends if it is not used any more
   */
  endsAt: number;
  ip: string | null;
  userAgent: string | null;
};

export type ResetLink = {
  /**
   * Works once; only a hash of its token is kept
   */
  link: string;
  /**
   * Unix epoch milliseconds
   */
  expiresAt: number;
};

/**
 * The receipt of the deletion of a project
 */
export type ProjectErasure = {
  id: string;
  projectId: string;
  status: 'running' | 'completed';
  /**
   * Unix epoch milliseconds
   */
  requestedAt: number;
  requestedBy: {
    kind: 'key' | 'user';
    id: string;
  };
  completedAt: number | null;
  /**
   * What was removed, by service and collection
   */
  services: {
    telemetry: {
      [key: string]: number;
    };
    diagnostics: {
      [key: string]: number;
    };
    datasets: {
      [key: string]: number;
    };
    knowledge: {
      [key: string]: number;
    };
    models: {
      [key: string]: number;
    };
    identity: {
      [key: string]: number;
    };
  };
};

export type Project = {
  id: string;
  workspaceId: string;
  name: string;
  /**
   * Unix epoch milliseconds
   */
  createdAt: number;
  /**
   * Unix epoch milliseconds
   */
  updatedAt: number;
};

export type ApiKeySecret = {
  apiKey: ApiKey;
  /**
   * Shown this once; only a hash is kept
   */
  secret: string;
};

export type RevokedApiKeys = {
  /**
   * Makers before what they made
   */
  revoked: Array<string>;
};

export type ConversationSummary = {
  id: string;
  projectId: string;
  /**
   * active: within its quiet period, or changed since it was ready. ready: a snapshot of it exists, where anything was said
   */
  state: 'active' | 'ready';
  /**
   * Unix epoch milliseconds
   */
  startedAt: number;
  /**
   * Unix epoch milliseconds
   */
  lastActivityAt: number;
  spanCount: number;
  /**
   * Of the latest snapshot; 0 before the first
   */
  messageCount: number;
  errorCount: number;
  findingCount: number;
  agents: Array<string>;
  models: Array<string>;
  userId: string | null;
  usage: {
    inputTokens: number;
    outputTokens: number;
  };
  /**
   * The beginning of what the user said first
   */
  preview: string;
  snapshotId: string | null;
  contentHash: string | null;
  /**
   * At most 100 of them, oldest first
   */
  traceIds: Array<string>;
  /**
   * structure: the words of some or all of its messages were never stored
   */
  contentCapture: 'full' | 'structure';
};

export type Conversation = {
  id: string;
  projectId: string;
  /**
   * active: within its quiet period, or changed since it was ready. ready: a snapshot of it exists, where anything was said
   */
  state: 'active' | 'ready';
  /**
   * Unix epoch milliseconds
   */
  startedAt: number;
  /**
   * Unix epoch milliseconds
   */
  lastActivityAt: number;
  spanCount: number;
  /**
   * Of the latest snapshot; 0 before the first
   */
  messageCount: number;
  errorCount: number;
  findingCount: number;
  agents: Array<string>;
  models: Array<string>;
  userId: string | null;
  usage: {
    inputTokens: number;
    outputTokens: number;
  };
  /**
   * The beginning of what the user said first
   */
  preview: string;
  snapshotId: string | null;
  contentHash: string | null;
  /**
   * At most 100 of them, oldest first
   */
  traceIds: Array<string>;
  /**
   * structure: the words of some or all of its messages were never stored
   */
  contentCapture: 'full' | 'structure';
  truncated: boolean;
  messages: Array<ConversationMessage>;
  tools: Array<{
    name: string;
    description?: string;
    parameters: unknown;
  }>;
  scores: Array<Score>;
};

export type ConversationMessage = {
  index: number;
  role: 'system' | 'user' | 'assistant' | 'tool';
  /**
   * The text; empty where a message only calls tools
   */
  content: string;
  /**
   * Retention has taken its words, or they were never stored (`length`): text, arguments, reasoning and attachments are empty
   */
  textExpired?: true;
  /**
   * Characters of its words, which the project does not store (`contentCapture: structure`)
   */
  length?: number;
  toolCalls?: Array<ToolCall>;
  /**
   * On role tool: the call that this result answers
   */
  toolCallId?: string;
  /**
   * The tool, or the speaking agent
   */
  name?: string;
  reasoning?: string;
  /**
   * Parts that are not text, as they came
   */
  attachments?: Array<{
    [key: string]: unknown;
  }>;
  finishReason?: string;
  /**
   * On role tool: the tool span ended in an error. On role assistant: the call failed
   */
  error?: {
    type: string;
    message: string;
  };
  /**
   * On role assistant: the model whose call gave it
   */
  model?: string;
  /**
   * On role assistant: the tokens of its call, at the last message that the call gave
   */
  usage?: MessageUsage;
  /**
   * On role assistant: of its call, at the last message that the call gave. On role tool: of the run
   */
  durationMs?: number;
  /**
   * It is, or holds, text that came from retrieval or from recalled knowledge; absent where not known
   */
  origin?: 'retrieved' | 'recalled';
  traceId: string;
  spanId: string;
  /**
   * Unix epoch milliseconds
   */
  atMs: number;
};

export type ToolCall = {
  /**
   * As the model named the call; absent where the dialect has none
   */
  id?: string;
  name: string;
  /**
   * The parsed JSON, or the raw text where it is not JSON
   */
  arguments: unknown;
};

export type MessageUsage = {
  inputTokens?: number;
  outputTokens?: number;
  cacheReadTokens?: number;
  cacheWriteTokens?: number;
  reasoningTokens?: number;
};

/**
 * Feedback of a person or an evaluator on a conversation
 */
export type Score = {
  id: string;
  name: string;
  value: number | boolean | string;
  traceId?: string;
  comment?: string;
  /**
   * Retention has taken its comment
   */
  textExpired?: true;
  source: 'user' | 'evaluator' | 'api';
  /**
   * Unix epoch milliseconds
   */
  createdAt: number;
};

export type Count = {
  count: number;
  /**
   * There are, or may be, more: it was counted no further
   */
  atLeast: boolean;
};

export type ConversationImportReport = {
  /**
   * Conversations accepted
   */
  imported: number;
  refusedCount: number;
  /**
   * The first 1,000 refused lines
   */
  refused: Array<{
    line: number;
    path: string;
    reason: string;
  }>;
};

export type ConversationPoint = {
  /**
   * Unix epoch milliseconds
   */
  startMs: number;
  conversations: number;
  /**
   * Of them, with a Finding
   */
  flagged: number;
  /**
   * Of them, with a failed model call or tool run
   */
  errors: number;
  inputTokens: number;
  outputTokens: number;
  /**
   * Of model calls, to about a tenth; null where none has a duration
   */
  latencyP50Ms: number | null;
  latencyP95Ms: number | null;
};

export type Dataset = {
  id: string;
  projectId: string;
  name: string;
  description: string | null;
  schema: DatasetSchema;
  collectionPolicy: CollectionPolicy | null;
  collectionEnabled: boolean;
  collectionStatus: 'off' | 'ready' | 'setup_required';
  blockedReason: string | null;
  /**
   * Whether personal data and secrets are replaced in what the Dataset collects by itself
   */
  collectedRedaction: 'on' | 'off';
  /**
   * What is looked at when collection is switched on again; null: only what comes from then on
   */
  collectionCatchUp: {
    /**
     * Conversations of so many last days
     */
    days: number;
    /**
     * At most so many of them, the latest first
     */
    conversations: number;
  } | null;
  /**
   * Responses that models may be asked for in a day (UTC) to fill the Dataset
   */
  dailySyntheses: number;
  exampleCount: number;
  /**
   * Grows with every change of the Examples; 0 is the empty Dataset
   */
  version: number;
  /**
   * Derived from the Examples alone; equal content has an equal id
   */
  contentId: string;
  /**
   * Unix epoch milliseconds
   */
  createdAt: number;
  /**
   * Unix epoch milliseconds
   */
  updatedAt: number;
};

export type CollectionPolicy = {
  objective:
    | 'preserve_successful_behavior'
    | 'correct_failed_conversations'
    | 'learn_from_user_corrections'
    | 'teach_project_knowledge';
  /**
   * Managed by the server; changes with every change of the policy
   */
  revision: string;
  model?: string;
  filters?: {
    /**
     * Narrows the objective teach_project_knowledge
     */
    knowledgeGoalIds?: Array<string>;
  };
};

export type CollectionDecision = {
  id: string;
  /**
   * null for a Knowledge item
   */
  conversationId: string | null;
  /**
   * null for a conversation
   */
  itemId: string | null;
  objective:
    | 'preserve_successful_behavior'
    | 'correct_failed_conversations'
    | 'learn_from_user_corrections'
    | 'teach_project_knowledge';
  /**
   * kept: a person has changed the Example, which stays as it is. removed_by_hand: a person deleted it, for good. stale: its reason no longer holds. to_synthesize: a model has yet to write the response
   */
  outcome: 'collected' | 'replaced' | 'kept' | 'stale' | 'removed_by_hand' | 'refused' | 'to_synthesize';
  /**
   * Why it was collected
   */
  because:
    | 'score'
    | 'confirmation'
    | 'closing_tool'
    | 'confirmed_finding'
    | 'grave_finding'
    | 'user_correction'
    | 'knowledge_item'
    | null;
  /**
   * Why it was refused, or is stale
   */
  reason:
    | 'failing_score'
    | 'no_success_signal'
    | 'no_answer'
    | 'open_problem'
    | 'likely_failed'
    | 'not_analysed'
    | 'conversation_gone'
    | 'words_expired'
    | 'conversation_too_long'
    | 'example_too_large'
    | 'example_invalid'
    | 'worker_gave_up'
    | 'no_grave_problem'
    | 'no_user_correction'
    | 'no_step_to_correct'
    | 'not_active'
    | 'item_gone'
    | 'model_declined'
    | 'model_failed'
    | 'equal_to_rejected'
    | 'quotes_not_found'
    | 'not_grounded'
    | 'unknown_tool'
    | 'second_look'
    | 'collection_off'
    | null;
  exampleIds: Array<string>;
  /**
   * Personal data and secrets that were replaced
   */
  redacted: number;
  /**
   * The model that wrote the response, if one did
   */
  model: string | null;
  /**
   * null for a Knowledge item
   */
  snapshotId: string | null;
  /**
   * Unix epoch milliseconds
   */
  decidedAt: number;
};

export type CollectionPreview = {
  conversations: Array<{
    conversationId: string;
    would: 'collect' | 'synthesize' | 'skip';
    because:
      | 'score'
      | 'confirmation'
      | 'closing_tool'
      | 'confirmed_finding'
      | 'grave_finding'
      | 'user_correction'
      | 'knowledge_item'
      | 'failing_score'
      | 'no_success_signal'
      | 'no_answer'
      | 'open_problem'
      | 'likely_failed'
      | 'not_analysed'
      | 'conversation_gone'
      | 'words_expired'
      | 'conversation_too_long'
      | 'example_too_large'
      | 'example_invalid'
      | 'worker_gave_up'
      | 'no_grave_problem'
      | 'no_user_correction'
      | 'no_step_to_correct'
      | 'not_active'
      | 'item_gone'
      | 'model_declined'
      | 'model_failed'
      | 'equal_to_rejected'
      | 'quotes_not_found'
      | 'not_grounded'
      | 'unknown_tool'
      | 'second_look'
      | 'collection_off';
  }>;
  /**
   * Knowledge items, for the objective teach_project_knowledge
   */
  items: Array<{
    itemId: string;
    would: 'collect' | 'synthesize' | 'skip';
    because:
      | 'score'
      | 'confirmation'
      | 'closing_tool'
      | 'confirmed_finding'
      | 'grave_finding'
      | 'user_correction'
      | 'knowledge_item'
      | 'failing_score'
      | 'no_success_signal'
      | 'no_answer'
      | 'open_problem'
      | 'likely_failed'
      | 'not_analysed'
      | 'conversation_gone'
      | 'words_expired'
      | 'conversation_too_long'
      | 'example_too_large'
      | 'example_invalid'
      | 'worker_gave_up'
      | 'no_grave_problem'
      | 'no_user_correction'
      | 'no_step_to_correct'
      | 'not_active'
      | 'item_gone'
      | 'model_declined'
      | 'model_failed'
      | 'equal_to_rejected'
      | 'quotes_not_found'
      | 'not_grounded'
      | 'unknown_tool'
      | 'second_look'
      | 'collection_off';
  }>;
  /**
   * Those that a model wrote, if asked for; nothing is stored
   */
  examples: Array<NewExampleOutput>;
};

export type Example = {
  id: string;
  projectId: string;
  datasetId: string;
  source: ExampleSourceOutput;
  tags: Array<string>;
  payload: ExamplePayload;
  /**
   * The version of the Dataset that made the Example what it is here
   */
  version: number;
  /**
   * Where the Examples of one split were asked for
   */
  split?: 'train' | 'validation' | 'test';
  /**
   * Unix epoch milliseconds
   */
  createdAt: number;
  /**
   * Unix epoch milliseconds
   */
  updatedAt: number;
};

/**
 * An Example in the format `jsonl`. Lines of the formats `openai-sft` and `openai-dpo` are those that the fine-tuning API of OpenAI takes instead.
 */
export type ExportedExample = {
  id: string;
  /**
   * Unix epoch milliseconds
   */
  createdAt: number;
  /**
   * Unix epoch milliseconds
   */
  updatedAt: number;
  payload: ExamplePayload;
  source: ExampleSourceOutput;
  tags: Array<string>;
};

export type DatasetImportReport = {
  imported: number;
  updated: number;
  skipped: number;
  refusedCount: number;
  refused: Array<{
    line: number;
    /**
     * The field that is wrong; empty where it is the whole line
     */
    path: string;
    reason: string;
  }>;
  nearDuplicates: {
    /**
     * Lines that resemble another Example; they are imported all the same
     */
    count: number;
    pairs: Array<{
      line: number;
      similarity: number;
      /**
       * The Example of the Dataset that it resembles
       */
      exampleId?: string;
      /**
       * The earlier line of the file that it resembles
       */
      otherLine?: number;
    }>;
    /**
     * false where there were more Examples to compare with than are held at once; the newest were
     */
    complete: boolean;
  };
};

export type DatasetVersion = {
  version: number;
  /**
   * Derived from the Examples alone, the same on any deployment
   */
  contentId: string;
  exampleCount: number;
  /**
   * Unix epoch milliseconds
   */
  createdAt: number;
};

export type VersionChange = {
  exampleId: string;
  change: 'added' | 'updated' | 'removed';
  /**
   * The version that made, or removed, what differs
   */
  version: number;
  /**
   * With `include=examples`: as it was at `from`; null where it was not there, or has been erased since
   */
  before?: Example | null;
  /**
   * The same at `to`
   */
  after?: Example | null;
};

export type AnalysisRuns = {
  analysisId: string;
  conversationId: string;
  snapshotId: string;
  /**
   * Unix epoch milliseconds
   */
  createdAt: number;
  /**
   * null while a run is queued
   */
  endedAt: number | null;
  /**
   * failed: all have ended, and one or more of them failed
   */
  state: 'queued' | 'completed' | 'failed';
  /**
   * What queued the first of the runs; null for an earlier record, which does not say it
   */
  trigger: 'automatic' | 'request' | 'discovery' | 'backfill' | 'expectations' | null;
  runs: Array<{
    ruleId: string;
    /**
     * Of its configuration; absent for the first
     */
    revision?: string;
    state: 'queued' | 'succeeded' | 'failed' | 'skipped';
    /**
     * Why it failed or was skipped
     */
    reason: string | null;
    /**
     * What the Rule found in the snapshot
     */
    findingIds: Array<string>;
  }>;
};

export type RuleBackfill = {
  backfillId: string;
  ruleId: string;
  /**
   * completed: its Runs are queued. cancelled: by a person, or the Rule was switched off. failed: given up
   */
  state: 'scheduled' | 'running' | 'completed' | 'cancelled' | 'failed';
  /**
   * Unix epoch milliseconds
   */
  startMs: number;
  /**
   * Unix epoch milliseconds
   */
  endMs: number;
  maxConversations: number;
  conversationsSeen: number;
  /**
   * A Run that a conversation has already is not queued again
   */
  runsQueued: number;
  /**
   * Of conversation_review: days over which the daily limit spreads its reviews and those that wait already
   */
  reviewDays?: number;
  /**
   * Unix epoch milliseconds
   */
  createdAt: number;
  endedAt: number | null;
};

/**
 * Access to one issue tracker; its credentials are never shown
 */
export type Connector = {
  id: string;
  projectId: string;
  provider: TrackerProvider;
  name: string | null;
  /**
   * Null for the provider's own address
   */
  baseUrl: string | null;
  enabled: boolean;
  /**
   * Whether work items for this provider use it unless they name one
   */
  isDefault: boolean;
  /**
   * Where issues are created unless the work item says otherwise, in the form of the provider
   */
  defaultDestination: {
    [key: string]: unknown;
  } | null;
  /**
   * Without one, no delivery of the provider is taken
   */
  hasWebhookSecret: boolean;
  /**
   * Path below the public URL to which the provider sends its webhooks
   */
  webhookPath: string;
  /**
   * Unix epoch milliseconds
   */
  createdAt: number;
  /**
   * Unix epoch milliseconds
   */
  updatedAt: number;
};

export type ConnectorTest = {
  /**
   * Whether issues can be created, in the default destination if there is one
   */
  ok: boolean;
  /**
   * Whose credentials these are
   */
  account: string | null;
  /**
   * The default destination as the provider names it
   */
  destination: {
    name: string;
    url: string;
  } | null;
  /**
   * What has to change, or that the provider did not answer
   */
  reason:
    | 'credentials'
    | 'permission'
    | 'destination'
    | 'content'
    | 'gone'
    | 'state'
    | 'address'
    | 'rate_limited'
    | 'unavailable'
    | 'unknown'
    | null;
  /**
   * The same in words
   */
  error: string | null;
  latencyMs: number;
};

export type ConversationDiagnosis = {
  conversationId: string;
  /**
   * What score and suspects are of; null before the first
   */
  snapshotId: string | null;
  /**
   * How likely the conversation went wrong
   */
  score: number | null;
  /**
   * null where there is no score
   */
  scoreSource: ScoreSource | null;
  /**
   * The gravest first
   */
  symptoms: Array<Symptom>;
  /**
   * With which step it may have begun, the likeliest first
   */
  suspects: Array<Suspect>;
  /**
   * Where a model is to read it, and was not asked yet
   */
  reviewWaiting?: Waiting;
  findings: Array<{
    id: string;
    title: string;
    severity: 'critical' | 'high' | 'medium' | 'low' | 'info';
    diagnosticScore: number;
    reviewStatus: 'unreviewed' | 'confirmed' | 'dismissed';
    resolutionStatus: 'unresolved' | 'awaiting_verification' | 'resolved' | 'regressed';
  }>;
};

export type ScoreSource =
  | {
      kind: 'rules';
      /**
       * Whether the score was fitted to the project's own reviews or scores; see the score calibration
       */
      recalibrated: boolean;
    }
  | {
      kind: 'review';
      model: string;
      verdict: 'achieved' | 'partly' | 'failed' | 'unclear';
      /**
       * What the user wanted
       */
      wanted: string;
      /**
       * Unix epoch milliseconds
       */
      reviewedAt: number;
    };

export type Symptom = {
  ruleKey: string;
  findingId: string;
  title: string;
  /**
   * In this conversation; the Finding has the worst of all
   */
  severity: 'critical' | 'high' | 'medium' | 'low' | 'info';
  score: number;
  signals: Array<string>;
  /**
   * Where it shows; what caused it may lie before
   */
  location: EvidenceLocation;
};

export type EvidenceLocation = {
  traceId: string;
  spanId: string;
  /**
   * The index of the message in the canonical conversation
   */
  stepIndex: number;
  /**
   * Exact substrings of that message
   */
  quotes: Array<{
    quote: string;
    /**
     * The message that it stands in
     */
    messageIndex?: number;
    /**
     * `arguments`: those of the tool call of that message in which it stands, as JSON text
     */
    field?: 'content' | 'arguments' | 'reasoning';
    /**
     * In UTF-16 code units of the field
     */
    startChar?: number;
    /**
     * Exclusive
     */
    endChar?: number;
  }>;
};

export type Suspect = {
  /**
   * The index of the message in the canonical conversation
   */
  stepIndex: number;
  agent: string;
  /**
   * How likely it is the cause, against the other steps
   */
  score: number;
  /**
   * Why, in words
   */
  because: string;
  /**
   * Exact substrings of that message
   */
  quotes: Array<{
    quote: string;
    /**
     * The message that it stands in
     */
    messageIndex?: number;
    /**
     * `arguments`: those of the tool call of that message in which it stands, as JSON text
     */
    field?: 'content' | 'arguments' | 'reasoning';
    /**
     * In UTF-16 code units of the field
     */
    startChar?: number;
    /**
     * Exclusive
     */
    endChar?: number;
  }>;
};

export type Waiting = {
  /**
   * `places`: the project has its share of them, or others have their turns first; `provider`: it did not answer in time again and again, and is left alone for a while; `model`: it cannot be used now, or the goal is paused; `budget`: the day has none left
   */
  reason: 'places' | 'provider' | 'model' | 'budget';
  /**
   * Unix epoch milliseconds
   */
  since: number;
  /**
   * Of what waits for places: 1 is next, 1000 is that or more. Projects have their turns one after the other
   */
  position?: number;
};

export type Expectation = {
  id: string;
  projectId: string;
  /**
   * What is expected, in words
   */
  statement: string;
  source: 'authored' | 'compiled';
  /**
   * The sentence of the prompt that it comes from
   */
  quote?: string;
  /**
   * Of the prompt with its variable parts masked
   */
  promptHash?: string;
  status: 'active' | 'proposed' | 'off';
  severity: 'critical' | 'high' | 'medium' | 'low' | 'info';
  check: ExpectationCheck;
  /**
   * Unix epoch milliseconds
   */
  createdAt: number;
  /**
   * Unix epoch milliseconds
   */
  updatedAt: number;
};

export type ExpectationDryRun = {
  /**
   * How many of the latest ready conversations were read; fewer where the time was up
   */
  conversations: number;
  /**
   * How many of them break it
   */
  broken: number;
  examples: Array<{
    conversationId: string;
    snapshotId: string;
    /**
     * Steps that break it
     */
    violations: number;
    /**
     * What is wrong at the first of them
     */
    reason: string;
    location: EvidenceLocation;
  }>;
};

export type FailureRate = {
  /**
   * Estimated share that failed; null without reviews
   */
  rate: number | null;
  /**
   * Lower end of the 95% interval
   */
  low: number;
  /**
   * Upper end of the 95% interval
   */
  high: number;
  /**
   * Conversations that were drawn at random and read
   */
  reviewed: number;
  /**
   * Conversations that they stand for, as estimated
   */
  of: number;
  /**
   * The model that read the latest of them
   */
  model: string | null;
};

export type Finding = {
  id: string;
  projectId: string;
  clusterFingerprint: string;
  fingerprintVersion: string;
  reviewStatus: 'unreviewed' | 'confirmed' | 'dismissed';
  resolutionStatus: 'unresolved' | 'awaiting_verification' | 'resolved' | 'regressed';
  severity: 'critical' | 'high' | 'medium' | 'low' | 'info';
  diagnosticScore: number;
  diagnosticConfidence: number;
  confidenceSource: ConfidenceSource;
  /**
   * Where it is read alone, and a model is still to be asked about the primary anchor
   */
  adjudicationWaiting?: Waiting;
  title: string;
  summary: string;
  causeAssessment: string;
  remediationHint: string;
  metadata: {
    categoryKey: string;
    diagnosticRule: {
      ruleId: string;
      ruleKey: string;
    };
  };
  /**
   * Conversations that show the problem
   */
  occurrenceCount: number;
  /**
   * Unix epoch milliseconds
   */
  firstDetectedAt: number;
  /**
   * Unix epoch milliseconds
   */
  lastDetectedAt: number;
  /**
   * The conversation of the primary anchor
   */
  conversationId: string;
  diagnosticAnchor: {
    traceId: string;
    spanId: string;
    /**
     * The index of the message in the canonical conversation
     */
    stepIndex: number;
    /**
     * Exact substrings of that message
     */
    quotes: Array<{
      quote: string;
      /**
       * The message that it stands in
       */
      messageIndex?: number;
      /**
       * `arguments`: those of the tool call of that message in which it stands, as JSON text
       */
      field?: 'content' | 'arguments' | 'reasoning';
      /**
       * In UTF-16 code units of the field
       */
      startChar?: number;
      /**
       * Exclusive
       */
      endChar?: number;
    }>;
    conversationId: string;
  };
  evidence: Array<Evidence>;
  evidenceWindow: {
    /**
     * Unix epoch milliseconds
     */
    startMs: number;
    /**
     * Unix epoch milliseconds
     */
    endMs: number;
    conversationIds: Array<string>;
  };
  analysisRevision: string;
  evidenceSnapshotRevision: string;
  /**
   * Unix epoch milliseconds
   */
  evidenceThroughMs: number;
  /**
   * Unix epoch milliseconds
   */
  createdAt: number;
  /**
   * Unix epoch milliseconds
   */
  updatedAt: number;
  reviewedAt: number | null;
  resolvedAt: number | null;
  regressedAt: number | null;
  /**
   * While it is `awaiting_verification`, and after
   */
  verification: FindingVerification | null;
  /**
   * Who is to look after it
   */
  assignee: string | null;
  snooze: FindingSnooze | null;
  /**
   * The Finding that it was merged into: it is not listed, and says what its own conversations show
   */
  mergedInto: string | null;
  /**
   * Findings whose conversations count for this one
   */
  mergedFindingIds: Array<string>;
  /**
   * The Finding that it was split off
   */
  splitFrom: string | null;
  /**
   * What was split off this one, the earliest first
   */
  splits: Array<FindingSplit>;
  /**
   * The primary work item, or null
   */
  workItem: WorkItem | null;
  /**
   * Its page for people
   */
  workbenchUrl?: string;
};

export type ConfidenceSource =
  | {
      kind: 'rules';
    }
  | {
      kind: 'model';
      model: string;
      /**
       * How often the model is right, as its judgement test says
       */
      accuracy: number;
      /**
       * What the Rule alone was confident of
       */
      candidateConfidence: number;
      /**
       * How labelled conversations ended in which the Rule found something
       */
      labelled?: {
        flagged: number;
        failed: number;
      };
      because: string;
      quotes: Array<{
        quote: string;
        stepIndex: number;
      }>;
    }
  | {
      kind: 'review';
      model: string;
      /**
       * How often the model is right, as its judgement test says
       */
      accuracy: number;
      /**
       * Only a confirmed problem is high
       */
      secondLook: 'confirmed' | 'unclear' | 'not_asked';
      /**
       * What the reviewer called the problem in this conversation alone
       */
      problem?: {
        kind: string;
        title: string;
      };
      because: string;
      quotes: Array<{
        quote: string;
        stepIndex: number;
      }>;
      /**
       * Calls of the model that the review of the conversation took
       */
      calls: number;
      tokens: number;
    };

export type Evidence = {
  /**
   * Names the evidence within its Finding
   */
  ref: string;
  kind: 'span' | 'message' | 'tool_call' | 'tool_result' | 'score';
  title: string;
  summary: string;
  url: string | null;
  location: EvidenceLocation;
};

export type FindingVerification = {
  /**
   * Conversations that started later tell whether the repair helped
   */
  since: number;
  /**
   * Conversations that could have shown the problem and do not
   */
  cleanExposures: number;
  /**
   * So many of them resolve the Finding
   */
  requiredExposures: number;
  /**
   * With 95% confidence, the problem occurs in at most this share of such conversations
   */
  recurrenceBound: number;
};

export type FindingSnooze = {
  /**
   * Unix epoch milliseconds
   */
  since: number;
  until: number | null;
  /**
   * How many more conversations end it
   */
  furtherOccurrences: number | null;
};

export type FindingSplit = {
  /**
   * The Finding that they belong to
   */
  findingId: string;
  conversationIds?: Array<string>;
  /**
   * Those in which this signal of the Rule fired
   */
  signal?: string;
};

export type WorkItem = {
  id: string;
  findingId: string;
  provider: TrackerProvider;
  connectorId: string;
  /**
   * null for an issue that existed already, where no destination was named
   */
  destination:
    | {
        owner: string;
        repo: string;
      }
    | {
        projectId: string;
      }
    | {
        projectKey: string;
        issueType?: string;
      }
    | {
        teamId: string;
      }
    | null;
  status: 'provisioning' | 'planned' | 'in_progress' | 'done';
  /**
   * Why the issue was closed, while it is `done`
   */
  doneReason: 'completed' | 'not_planned' | 'cancelled' | 'duplicate' | null;
  externalId: string | null;
  /**
   * Name of the issue for people
   */
  externalKey: string | null;
  externalUrl: string | null;
  syncState: 'pending' | 'synced' | 'error';
  /**
   * Why the provider did not do what was asked, for people
   */
  syncError: string | null;
  /**
   * How often the issue was to be made since it was last asked for
   */
  attempts: number;
  /**
   * false once it was replaced or abandoned
   */
  isPrimary: boolean;
  ended: 'replaced' | 'abandoned' | null;
  /**
   * The work item that took its place
   */
  replacedBy: string | null;
  /**
   * Unix epoch milliseconds
   */
  createdAt: number;
  /**
   * Unix epoch milliseconds
   */
  updatedAt: number;
  lastSyncedAt: number | null;
};

export type FindingActivity = {
  id: string;
  findingId: string;
  kind: 'review' | 'resolution' | 'assignee' | 'snooze' | 'comment' | 'merge' | 'unmerge' | 'split' | 'work_item';
  /**
   * Value before the change; null for a comment. For a merge or unmerge the Finding that was moved, for a split the Finding that was split, for a work item the one before
   */
  from: string | null;
  /**
   * Value after the change; null for a comment. For a merge the Finding that it was merged into, for an unmerge the Finding that it left, for a split the new Finding, for a work item the new one
   */
  to: string | null;
  /**
   * Text of a comment; for a split, the condition for the conversations that it takes, as JSON
   */
  text: string | null;
  actor: {
    kind: 'key' | 'user' | 'service';
    id: string;
  };
  /**
   * Unix epoch milliseconds
   */
  createdAt: number;
};

export type FindingOccurrence = {
  conversationId: string;
  /**
   * The Finding that it was found as, where that was merged into this one
   */
  findingId: string;
  severity: 'critical' | 'high' | 'medium' | 'low' | 'info';
  diagnosticScore: number;
  diagnosticConfidence: number;
  title: string;
  summary: string;
  diagnosticAnchor: EvidenceLocation;
  evidenceSnapshotRevision: string;
  /**
   * Unix epoch milliseconds
   */
  evidenceThroughMs: number;
  /**
   * Unix epoch milliseconds
   */
  conversationStartedAt: number;
  /**
   * Unix epoch milliseconds
   */
  firstDetectedAt: number;
  /**
   * Unix epoch milliseconds
   */
  lastDetectedAt: number;
};

export type FindingCounts = {
  total: number;
  /**
   * true where more than 10,000 match, or where they lie far apart: there are so many or more
   */
  atLeast: boolean;
  /**
   * By each field of `by`, the most frequent value first
   */
  counts: {
    [key: string]: Array<{
      /**
       * null: nobody, or unknown
       */
      value: string | null;
      count: number;
    }>;
  };
};

export type Discovery = {
  conversationId: string;
  outcome: 'findings_found' | 'no_findings';
  /**
   * What the conversation shows, the worst first
   */
  findings: Array<Finding>;
};

export type ReviewDay = {
  /**
   * UTC, YYYY-MM-DD
   */
  day: string;
  /**
   * Conversations that could have been read
   */
  ready: number;
  reviewed: number;
  calls: number;
  tokens: number;
};

export type Review = {
  conversationId: string;
  /**
   * What was read
   */
  snapshotId: string;
  /**
   * Why this conversation was read
   */
  chosenBy: 'random' | 'score' | 'all' | 'backfill';
  /**
   * What the user wanted
   */
  wanted: string;
  verdict: 'achieved' | 'partly' | 'failed' | 'unclear';
  failureProbability: number;
  /**
   * Problems that stand on exact quotes
   */
  problemCount: number;
  /**
   * Problems without exact quotes, or refuted by a second look
   */
  droppedCount: number;
  model: string;
  calls: number;
  tokens: number;
  /**
   * Unix epoch milliseconds
   */
  reviewedAt: number;
};

export type Rule = {
  ruleId: string;
  ruleKey: string;
  name: string;
  description: string;
  categoryKey: string;
  enabled: boolean;
  configuration: RuleConfiguration;
  /**
   * Of the configuration; grows with every change of it
   */
  revision: number;
  /**
   * What `keywords` are added to; null where the Rule has no vocabulary
   */
  keywordsMeaning: string | null;
  signals: Array<RuleSignal>;
  /**
   * null where the project has changed nothing
   */
  updatedAt: number | null;
};

export type RuleConfiguration = {
  keywords: Array<string>;
  minSignalScore: number;
  minDiagnosticConfidence: number;
  adjudicationMode: 'auto' | 'deterministic-only';
  adjudicationModel: string | null;
  signalOverrides: {
    [key: string]: {
      enabled: boolean;
      severity: 'critical' | 'high' | 'medium' | 'low' | 'info';
    };
  };
};

export type RuleSignal = {
  name: string;
  description: string;
  defaultSeverity: 'critical' | 'high' | 'medium' | 'low' | 'info';
  /**
   * How much a clear case of this signal alone says
   */
  weight: number;
};

export type RequestedRuleBackfill = {
  backfillId: string;
  scheduled: true;
  maxConversations: number;
  /**
   * So far: Runs are queued page by page after the answer
   */
  runsQueued: number;
  /**
   * Of conversation_review: days over which the daily limit spreads its reviews and those that wait already
   */
  reviewDays?: number;
};

export type ScoreCalibration = {
  /**
   * Where outcomes are known from; null while too few are, and scores stay as they are
   */
  source: 'reviews' | 'scores' | null;
  /**
   * Added on the logit scale
   */
  intercept: number;
  /**
   * Factor of the logit of the score that the Rules give
   */
  slope: number;
  /**
   * Conversations whose outcome is known, the latest
   */
  judged: number;
  /**
   * Those of them that failed
   */
  failed: number;
  /**
   * Mean squared error before; lower is better
   */
  brierBefore: number | null;
  /**
   * The same with the calibration
   */
  brierAfter: number | null;
  /**
   * Unix epoch milliseconds
   */
  fittedAt: number;
};

export type DiagnosticSettings = {
  automaticSchedulingEnabled: boolean;
  /**
   * grammar: what the grammar compiles from a prompt is active. manual: it is proposed, and waits for a person
   */
  expectationActivation: 'grammar' | 'manual';
  /**
   * Calls of models a day (UTC) that may be made to confirm or refute what Rules found; what is left waits
   */
  dailyAdjudications: number;
  /**
   * sampled: half of the daily reviews go to bad scores, half are drawn at random. null: sampled where `reviewModel` or the `adjudicationModel` of a Rule is set, or where a local model passes the judgement test, else off
   */
  reviewMode: 'off' | 'sampled' | 'all' | null;
  /**
   * null: the `adjudicationModel` of a Rule, else a local model that passes the judgement test
   */
  reviewModel: string | null;
  /**
   * Conversations a day (UTC) that a model may read; what is left waits. A comparison of new kinds of problems, by which those told in other words become one Finding, takes the place of one
   */
  dailyReviews: number;
  /**
   * Clean conversations that verify a repair: they started after it, could have shown the problem, and did not. With 95% confidence, it then occurs in at most this share of such conversations: 63% after 3, 26% after 10, 14% after 20, 3% after 100. It holds for repairs that are noticed from now on
   */
  requiredExposures: number;
  /**
   * Whether the issue of a Finding is reopened at its provider when the problem occurs again after its repair
   */
  reopenOnRegression: boolean;
};

/**
 * The receipt of an erasure: it holds no words of the conversation
 */
export type Erasure = {
  id: string;
  conversationId: string;
  status: 'running' | 'completed';
  /**
   * When it was asked for last
   */
  requestedAt: number;
  /**
   * Who asked for it last
   */
  requestedBy: {
    kind: 'key' | 'user' | 'service';
    id: string;
  };
  completedAt: number | null;
  /**
   * What was removed, by service and kind
   */
  services: {
    telemetry: {
      [key: string]: number;
    };
    diagnostics: {
      [key: string]: number;
    };
    datasets: {
      [key: string]: number;
    };
    knowledge: {
      [key: string]: number;
    };
  };
};

export type ChangeEvent =
  | {
      type:
        | 'conversation'
        | 'diagnosis'
        | 'finding'
        | 'workItem'
        | 'rule'
        | 'ruleBackfill'
        | 'connector'
        | 'webhook'
        | 'diagnosticSettings'
        | 'knowledgeItem'
        | 'goal'
        | 'knowledgeBackfill'
        | 'knowledgeSettings'
        | 'dataset'
        | 'model'
        | 'modelProvider'
        | 'modelSettings'
        | 'erasure'
        | 'telemetrySettings'
        | 'apiKey'
        | 'quotas';
      /**
       * Null: many things of this type, all of which are to be read again
       */
      id: string | null;
      /**
       * Unix epoch milliseconds
       */
      at: number;
    }
  | {
      /**
       * First event; comes again when changes may have been missed: whatever is shown is to be read again
       */
      type: 'ready';
      id: null;
      /**
       * Unix epoch milliseconds
       */
      at: number;
    };

export type KnowledgeBackfill = {
  backfillId: string;
  goalId: string;
  state: 'scheduled' | 'running' | 'completed' | 'failed' | 'cancelled';
  /**
   * Unix epoch milliseconds
   */
  startMs: number;
  /**
   * Unix epoch milliseconds
   */
  endMs: number;
  maxConversations: number;
  pagesDone: number;
  conversationsSeen: number;
  /**
   * Seen, and not read to their end
   */
  conversationsPending: number;
  /**
   * Given up after several attempts
   */
  conversationsFailed: number;
  itemsCreated: number;
  itemsMerged: number;
  rejectedQuotes: number;
  /**
   * Those of `rejectedQuotes` by reason; what was rejected before reasons were counted has none
   */
  rejected: {
    [key: string]: number;
  };
  failureReason: string | null;
  /**
   * Unix epoch milliseconds
   */
  createdAt: number;
  endedAt: number | null;
  /**
   * Of its next conversation, where it is read alone
   */
  waiting?: Waiting;
};

/**
 * What a search has looked at
 */
export type KnowledgeLookedAt = {
  words: {
    /**
     * Items that have one of the words, counted for each word
     */
    entries: number;
    /**
     * false: of frequent words, only the newest items
     */
    isComplete: boolean;
  };
  /**
   * null: no model of the project embeds, or none answered in time
   */
  meaning: {
    model: string;
    items: number;
    /**
     * false: only the newest items, and those with the rarest words
     */
    isComplete: boolean;
  } | null;
};

export type KnowledgeItem = {
  id: string;
  projectId: string;
  goalId: string;
  status: 'active' | 'archived';
  title: string;
  content: string;
  kind: 'fact' | 'preference' | 'procedure' | 'correction' | 'policy';
  confidence: number;
  subject: {
    kind: 'person' | 'organisation' | 'product' | 'project';
    /**
     * As the words have it; "project" for the project itself
     */
    name: string;
    /**
     * Of the person, where a conversation tells it
     */
    userId: string | null;
  };
  /**
   * Empty where a person wrote it without a quote
   */
  sourceTraceId: string;
  sourceConversationId: string;
  evidence: Array<KnowledgeItemEvidence>;
  authority: 'person_written' | 'project_stated' | 'user_stated' | 'tool_observed' | 'assistant_inferred';
  /**
   * When its newest quote was said, or a person wrote it
   */
  saidAt: number;
  /**
   * From when it holds, where the words say so
   */
  validFrom: number | null;
  /**
   * From when it no longer holds, where the words say so
   */
  validUntil: number | null;
  /**
   * From when it is taken to hold: `validFrom`, else when it was first said
   */
  heldFrom: number;
  /**
   * Until when: `validUntil`, or from when another one replaced it
   */
  heldUntil: number | null;
  reviewedAt: number | null;
  /**
   * The person, or the API key, that changed it last
   */
  reviewedBy: string | null;
  supersedes: string | null;
  /**
   * The item that replaced it; setting it active undoes
   */
  supersededBy: string | null;
  /**
   * An item that says nearly the same with another value; setting it active says that it holds
   */
  possiblyOutdatedBy: string | null;
  revision: number;
  /**
   * Unix epoch milliseconds
   */
  createdAt: number;
  /**
   * Unix epoch milliseconds
   */
  updatedAt: number;
};

export type KnowledgeItemEvidence = {
  traceId: string;
  spanId: string;
  messageIndex: number;
  quote: string;
  startChar: number;
  endChar: number;
  /**
   * Hash of the system prompt that says so
   */
  promptHash?: string;
  conversationId: string;
  /**
   * false: the conversation, as it is now, no longer says so
   */
  isCurrent: boolean;
};

export type LearningGoal = {
  id: string;
  projectId: string;
  name: string;
  instruction: string;
  model: string;
  sources: KnowledgeSources;
  status: 'active' | 'paused' | 'archived';
  /**
   * Grows with the instruction, the model and the sources: what is asked of whom
   */
  revision: number;
  counts: {
    activeItems: number;
    archivedItems: number;
  };
  /**
   * Why an active goal does not run: of its model
   */
  blockedReason: string | null;
  /**
   * Of its next conversation, where it is read alone
   */
  waiting?: Waiting;
  /**
   * Unix epoch milliseconds
   */
  createdAt: number;
  /**
   * Unix epoch milliseconds
   */
  updatedAt: number;
};

export type KnowledgeSources = {
  /**
   * Whether system prompts are the project's own words, so that they teach policies
   */
  systemPrompt: boolean;
};

export type RequestedKnowledgeBackfill = {
  backfillId: string;
  scheduled: true;
  maxConversations: number;
};

export type KnowledgeItemRevision = {
  revision: number;
  author: {
    kind: 'user' | 'key' | 'extraction' | 'erasure';
    /**
     * The person, the API key, or the model that read it
     */
    id: string | null;
  };
  /**
   * As it was from then on
   */
  item: KnowledgeItem;
  /**
   * Unix epoch milliseconds
   */
  createdAt: number;
};

export type KnowledgeSearchResult = {
  /**
   * The best first, those that hold before all others
   */
  items: Array<{
    item: KnowledgeItem;
    /**
     * Reciprocal rank fusion; compares items of one answer only
     */
    score: number;
    matched: Array<'words' | 'meaning'>;
    /**
     * false: it was replaced, or its time is over or yet to come
     */
    isCurrent: boolean;
  }>;
  lookedAt: KnowledgeLookedAt;
};

export type Member = {
  userId: string;
  email: string;
  name: string;
  role: 'viewer' | 'editor' | 'admin';
  /**
   * The sign-in provider that gave the role, which is then not changed here; null if people did
   */
  managedBy: string | null;
  /**
   * Whether the whole workspace is open to this person
   */
  owner: boolean;
  state: 'active' | 'deactivated';
};

export type ModelDetail = {
  id: string;
  name: string;
  description: string;
  /**
   * Part of the product, imported by the project, or seen on the hub and not imported yet
   */
  origin: 'builtin' | 'imported' | 'discovered';
  category: 'chat' | 'embedding' | 'transcription' | 'reranking' | 'vision' | 'other';
  pipelineTag: string | null;
  tags: Array<string>;
  license: string | null;
  /**
   * Its repository on the model hub
   */
  repoId: string | null;
  gated: boolean;
  formats: Array<'gguf' | 'safetensors' | 'ctranslate2'>;
  contextLength: number | null;
  /**
   * Of its smallest profile
   */
  sizeBytes: number | null;
  downloads: number | null;
  likes: number | null;
  updatedAt: number | null;
  /**
   * The project has all files of one of its profiles
   */
  installed: boolean;
  profiles: Array<ModelProfile>;
  /**
   * The profile of the path, else the one that suits most machines
   */
  selectedProfileId: string | null;
};

export type ModelProfile = {
  id: string;
  modelId: string;
  format: 'gguf' | 'safetensors' | 'ctranslate2';
  quantization: string | null;
  engine: 'llama.cpp' | 'vllm' | 'faster-whisper';
  files: Array<ArtifactFile>;
  memoryEstimateBytes: number | null;
  contextLength: number | null;
};

export type ArtifactFile = {
  /**
   * Where the engine expects it, relative to the folder of the profile
   */
  path: string;
  sizeBytes: number | null;
  sha256: string | null;
  source:
    | {
        kind: 'hub';
        repoId: string;
        /**
         * A commit where it is known, else a branch
         */
        revision: string;
        path: string;
        /**
         * Each project that wants it needs access of its own
         */
        gated: boolean;
      }
    | {
        kind: 'package';
        index: 'pypi';
        package: string;
        version: string;
        /**
         * Its path inside the wheel
         */
        file: string;
      };
};

export type HubDetails = {
  modelId: string;
  repoId: string;
  /**
   * Whether the hub could be read just now
   */
  available: boolean;
  /**
   * Why it could not
   */
  reason: string | null;
  details: {
    revision: string;
    author: string;
    private: boolean;
    gated: 'no' | 'auto' | 'manual';
    pipelineTag: string | null;
    library: string | null;
    license: string | null;
    tags: Array<string>;
    downloads: number;
    likes: number;
    /**
     * Unix epoch milliseconds
     */
    updatedAt: number;
    parameterCount: number | null;
    files: Array<{
      path: string;
      sizeBytes: number;
      sha256: string | null;
    }>;
    filesTruncated: boolean;
  } | null;
};

/**
 * What of a profile is still being removed
 */
export type ProfileRemoval = {
  service: ModelService | null;
  download: ModelDownload | null;
};

export type ModelService = {
  modelId: string;
  profileId: string;
  engine: 'llama.cpp' | 'vllm' | 'faster-whisper';
  /**
   * Its name in inference and trials: `self/<modelId>`
   */
  model: string;
  state: 'starting' | 'ready' | 'stopping' | 'stopped' | 'failed';
  /**
   * Grows with each new start; names this one in removal paths
   */
  generation: number;
  stopReason: 'requested' | 'idle' | null;
  error: RuntimeProblem | null;
  /**
   * Crashes in a row
   */
  failureCount: number;
  /**
   * When a service that failed is started again by itself
   */
  nextAttemptAt: number | null;
  /**
   * Unix epoch milliseconds
   */
  createdAt: number;
  /**
   * Unix epoch milliseconds
   */
  updatedAt: number;
};

export type RuntimeProblem = {
  code: string;
  message: string;
};

export type ModelDownload = {
  modelId: string;
  profileId: string;
  state: 'queued' | 'running' | 'verifying' | 'completed' | 'failed' | 'cancelled' | 'removing';
  /**
   * Grows with each new start; names this one in removal paths
   */
  generation: number;
  bytesDone: number;
  bytesTotal: number | null;
  error: RuntimeProblem | null;
  /**
   * Unix epoch milliseconds
   */
  createdAt: number;
  /**
   * Unix epoch milliseconds
   */
  updatedAt: number;
};

export type RuntimeActivity =
  | {
      kind: 'engine';
      engine: 'llama.cpp' | 'vllm' | 'faster-whisper';
      state: 'not_installed' | 'queued' | 'installing' | 'ready' | 'failed' | 'removing';
      /**
       * Null while the project has never installed it
       */
      generation: number | null;
      /**
       * The version that is installed, or would be
       */
      version: string;
      /**
       * What is being done right now
       */
      message: string | null;
      error: RuntimeProblem | null;
      updatedAt: number | null;
      /**
       * The last lines that were printed, oldest first
       */
      log: Array<string>;
    }
  | {
      kind: 'download';
      modelId: string;
      profileId: string;
      state: 'queued' | 'running' | 'verifying' | 'completed' | 'failed' | 'cancelled' | 'removing';
      /**
       * Grows with each new start; names this one in removal paths
       */
      generation: number;
      bytesDone: number;
      bytesTotal: number | null;
      error: RuntimeProblem | null;
      /**
       * Unix epoch milliseconds
       */
      createdAt: number;
      /**
       * Unix epoch milliseconds
       */
      updatedAt: number;
    }
  | {
      kind: 'service';
      modelId: string;
      profileId: string;
      engine: 'llama.cpp' | 'vllm' | 'faster-whisper';
      /**
       * Its name in inference and trials: `self/<modelId>`
       */
      model: string;
      state: 'starting' | 'ready' | 'stopping' | 'stopped' | 'failed';
      /**
       * Grows with each new start; names this one in removal paths
       */
      generation: number;
      stopReason: 'requested' | 'idle' | null;
      error: RuntimeProblem | null;
      /**
       * Crashes in a row
       */
      failureCount: number;
      /**
       * When a service that failed is started again by itself
       */
      nextAttemptAt: number | null;
      /**
       * Unix epoch milliseconds
       */
      createdAt: number;
      /**
       * Unix epoch milliseconds
       */
      updatedAt: number;
      /**
       * The last lines that were printed, oldest first
       */
      log: Array<string>;
    };

export type ModelAvailability = {
  model: string;
  available: boolean;
  reason:
    | 'provider_not_found'
    | 'model_not_found'
    | 'service_not_running'
    | 'credentials_refused'
    | 'provider_unreachable'
    | 'no_chat'
    | 'no_json_mode'
    | 'no_embeddings'
    | 'judgement_not_passed'
    | 'no_suitable_model'
    | null;
  /**
   * What `service/auto` stands for just now
   */
  resolvedModel: string | null;
  capabilities: ModelCapabilities | null;
  /**
   * When the capabilities were last probed
   */
  checkedAt: number | null;
};

export type ModelCapabilities = {
  chat: boolean;
  jsonMode: boolean;
  jsonSchema: boolean;
  tools: boolean;
  contextLength: number | null;
  /**
   * Whether it passed the built-in judgement test
   */
  judgement: boolean;
  judgementScore: number;
  /**
   * Whether it answers `/v1/embeddings`; looked for where a model does not chat, or is there to embed
   */
  embeddings: boolean;
};

export type RuntimeSnapshot = {
  node: RuntimeNode;
  engines: Array<EngineInstallation>;
  /**
   * The 200 that changed last
   */
  downloads: Array<ModelDownload>;
  /**
   * The 200 that changed last
   */
  services: Array<ModelService>;
};

export type RuntimeNode = {
  id: string;
  /**
   * Whether its agent has shown itself lately
   */
  status: 'online' | 'away';
  lastSeenAt: number | null;
  memory: {
    totalBytes: number;
    availableBytes: number;
  } | null;
  disk: {
    totalBytes: number;
    freeBytes: number;
  } | null;
  gpus: Array<{
    name: string;
    memoryBytes: number;
  }>;
};

export type EngineInstallation = {
  engine: 'llama.cpp' | 'vllm' | 'faster-whisper';
  state: 'not_installed' | 'queued' | 'installing' | 'ready' | 'failed' | 'removing';
  /**
   * Null while the project has never installed it
   */
  generation: number | null;
  /**
   * The version that is installed, or would be
   */
  version: string;
  /**
   * What is being done right now
   */
  message: string | null;
  error: RuntimeProblem | null;
  updatedAt: number | null;
};

export type CatalogPage = {
  models: Array<CatalogModel>;
  nextCursor: string | null;
  limit: number;
  hub: HubStatus;
};

export type CatalogModel = {
  id: string;
  name: string;
  description: string;
  /**
   * Part of the product, imported by the project, or seen on the hub and not imported yet
   */
  origin: 'builtin' | 'imported' | 'discovered';
  category: 'chat' | 'embedding' | 'transcription' | 'reranking' | 'vision' | 'other';
  pipelineTag: string | null;
  tags: Array<string>;
  license: string | null;
  /**
   * Its repository on the model hub
   */
  repoId: string | null;
  gated: boolean;
  formats: Array<'gguf' | 'safetensors' | 'ctranslate2'>;
  contextLength: number | null;
  /**
   * Of its smallest profile
   */
  sizeBytes: number | null;
  downloads: number | null;
  likes: number | null;
  updatedAt: number | null;
  /**
   * The project has all files of one of its profiles
   */
  installed: boolean;
};

export type HubStatus = {
  state: 'never' | 'succeeded' | 'failed';
  /**
   * When the hub was last read successfully
   */
  refreshedAt: number | null;
  attemptedAt: number | null;
  /**
   * Why the last attempt failed
   */
  reason: string | null;
};

export type HubTokenStatus = {
  hasToken: boolean;
  updatedAt: number | null;
};

/**
 * An OpenAI-compatible endpoint of a project; its key is never shown
 */
export type Provider = {
  name: string;
  baseUrl: string;
  hasApiKey: boolean;
  prices: Array<ModelPrice>;
  /**
   * Unix epoch milliseconds
   */
  createdAt: number;
  /**
   * Unix epoch milliseconds
   */
  updatedAt: number;
};

export type ProviderTest = {
  ok: boolean;
  latencyMs: number;
  /**
   * Why the test call failed
   */
  reason: string | null;
  /**
   * The models that it lists, at most 500, as they are to be named
   */
  models: Array<string>;
};

export type ModelSettings = {
  /**
   * What `service/auto` means; null: the best that is there
   */
  defaultModel: string | null;
  /**
   * Tokens a day (UTC) that extraction, collection and adjudication may use; null: no limit
   */
  dailySystemTokens: number | null;
  /**
   * What is known of the default model; `checking` until it was looked at for the first time
   */
  defaultModelState: {
    status: 'checking' | 'available' | 'unavailable';
    /**
     * Where it is unavailable
     */
    reason:
      | 'provider_not_found'
      | 'model_not_found'
      | 'service_not_running'
      | 'credentials_refused'
      | 'provider_unreachable'
      | 'no_chat'
      | 'no_json_mode'
      | 'no_embeddings'
      | 'judgement_not_passed'
      | 'no_suitable_model'
      | null;
    /**
     * When it was last probed
     */
    checkedAt: number | null;
  } | null;
};

export type DayUsage = {
  /**
   * UTC, YYYY-MM-DD
   */
  day: string;
  model: string;
  operation: 'chat' | 'text_completion' | 'embeddings' | 'transcription';
  /**
   * Calls of applications, or of Clew for itself
   */
  origin: 'caller' | 'system';
  calls: number;
  failedCalls: number;
  inputTokens: number;
  outputTokens: number;
};

/**
 * Limits of a project; null: no limit
 */
export type Quotas = {
  /**
   * Bytes a day (UTC) of the records that OTLP and conversation imports bring, as they are queued
   */
  ingestedBytesPerDay: number | null;
  /**
   * Spans, log records and imported conversations a day (UTC)
   */
  ingestedRecordsPerDay: number | null;
  /**
   * Tokens of all model calls of the project a day (UTC)
   */
  inferenceTokensPerDay: number | null;
  /**
   * Tokens of all model calls of the project a month (UTC)
   */
  inferenceTokensPerMonth: number | null;
  /**
   * Bytes of telemetry and Datasets, as measured from time to time
   */
  storedBytes: number | null;
};

export type RetentionStates = {
  telemetry: RetentionState;
  rawPayload: RetentionState;
  maintenance: RetentionState;
};

/**
 * One mechanism of retention in one project
 */
export type RetentionState = {
  /**
   * When it last came to an end; null before the first time
   */
  lastRunAt: number | null;
  /**
   * What that run removed, by kind
   */
  removed: {
    [key: string]: number;
  };
  removedInTotal: {
    [key: string]: number;
  };
  isRunning: boolean;
  /**
   * What has expired and is there still; counted up to 10,000
   */
  backlog: number;
  /**
   * For how long the first of it has been expired
   */
  oldestAgeMs: number;
};

export type TelemetrySettings = {
  /**
   * Spans go so long after they were received, a conversation so long after the last of it was
   */
  telemetryRetentionDays: number;
  /**
   * Words go so long after they were received; what is quoted stays. No longer than telemetry is kept
   */
  rawPayloadRetentionDays: number;
  /**
   * A snapshot that is not the latest of its conversation goes so long after it was made
   */
  snapshotRetentionDays: number;
  /**
   * How often staged objects and snapshots are looked through, and traces put together
   */
  maintenanceIntervalHours: number;
  /**
   * The scores that count as success or failure, for Rules, judgements and collection alike, in what is read from then on. Other scores count as neither; while the list is empty, all scores count with their usual meaning
   */
  successScores: Array<SuccessScore>;
  masking: MaskingSettings;
  /**
   * full: what was said. structure: roles, names of tools, lengths, times, tokens and kinds of errors alone, from then on
   */
  contentCapture: 'full' | 'structure';
};

/**
 * Score that counts as success or failure in a project
 */
export type SuccessScore = {
  /**
   * The name of the score, as it is sent
   */
  name: string;
  /**
   * A number counts as success from here on, and as failure below. Without it a number has its usual meaning: success from 0.5 to 1, failure from 0 up to there. true, false and words always have theirs
   */
  atLeast?: number;
};

/**
 * Secrets and personal data that are replaced before anything is stored
 */
export type MaskingSettings = {
  /**
   * Whether anything is masked
   */
  enabled: boolean;
  /**
   * Own patterns of the project
   */
  patterns: Array<MaskingPattern>;
  /**
   * Values that are never masked, without regard to case; `@example.com` allows every address there
   */
  allow: Array<string>;
  builtIn: {
    secrets: boolean;
    emails: boolean;
    phones: boolean;
    cards: boolean;
    bankAccounts: boolean;
    nationalIds: boolean;
    addresses: boolean;
  };
};

export type Trace = {
  traceId: string;
  projectId: string;
  spanCount: number;
  spans: Array<TraceSpan>;
  nextCursor: string | null;
};

export type TraceSpan = {
  spanId: string;
  parentSpanId: string | null;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  statusCode: number;
  statusMessage: string | null;
  scopeName: string | null;
  attributes: {
    [key: string]: unknown;
  };
  events: Array<{
    name: string;
    timeUnixNano: string;
    attributes: {
      [key: string]: unknown;
    };
  }>;
};

export type UsageRow = {
  /**
   * The day, the model, the project, or the id of a key, person or service
   */
  group: string;
  calls: number;
  failedCalls: number;
  inputTokens: number;
  outputTokens: number;
  /**
   * Tokens of models that had no price when they were called
   */
  unpricedTokens: number;
  /**
   * By currency, at the prices of the time of each call
   */
  costs: Array<Cost>;
  /**
   * Null where groups are models or keys
   */
  ingestedBytes: number | null;
  ingestedRecords: number | null;
  /**
   * As last measured on the day, or in the days; null if never
   */
  storedBytes: number | null;
};

export type Cost = {
  currency: string;
  /**
   * Decimal number, exact
   */
  amount: string;
};

export type Webhook = {
  id: string;
  projectId: string;
  url: string;
  events: Array<WebhookEventChoice>;
  /**
   * Severities of Findings that are told; an empty list: all
   */
  severities: Array<'critical' | 'high' | 'medium' | 'low' | 'info'>;
  /**
   * Bound of `failure_rate.exceeded`: told once when the estimate of the last seven days comes above it, and again after it was below
   */
  failureRateAbove: number;
  format: 'standard' | 'slack' | 'json' | 'email';
  description: string;
  enabled: boolean;
  /**
   * Why nothing is sent any more, where it was not a person who disabled it
   */
  disabledReason: string | null;
  disabledAt: number | null;
  /**
   * First failure since the last delivery that succeeded
   */
  failingSince: number | null;
  /**
   * Until then, each delivery also has a signature with the secret before the last rotation
   */
  previousSecretValidUntil: number | null;
  /**
   * Unix epoch milliseconds
   */
  createdAt: number;
  /**
   * Unix epoch milliseconds
   */
  updatedAt: number;
};

export type WebhookWithSecret = {
  id: string;
  projectId: string;
  url: string;
  events: Array<WebhookEventChoice>;
  /**
   * Severities of Findings that are told; an empty list: all
   */
  severities: Array<'critical' | 'high' | 'medium' | 'low' | 'info'>;
  /**
   * Bound of `failure_rate.exceeded`: told once when the estimate of the last seven days comes above it, and again after it was below
   */
  failureRateAbove: number;
  format: 'standard' | 'slack' | 'json' | 'email';
  description: string;
  enabled: boolean;
  /**
   * Why nothing is sent any more, where it was not a person who disabled it
   */
  disabledReason: string | null;
  disabledAt: number | null;
  /**
   * First failure since the last delivery that succeeded
   */
  failingSince: number | null;
  /**
   * Until then, each delivery also has a signature with the secret before the last rotation
   */
  previousSecretValidUntil: number | null;
  /**
   * Unix epoch milliseconds
   */
  createdAt: number;
  /**
   * Unix epoch milliseconds
   */
  updatedAt: number;
  /**
   * Verifies the signatures; shown this once
   */
  secret: string;
};

export type WebhookDelivery = {
  id: string;
  webhookId: string;
  /**
   * The `webhook-id` of every try: a receiver knows repeats by it
   */
  eventId: string;
  type: string;
  /**
   * failed: no further try is made by itself
   */
  status: 'pending' | 'delivered' | 'failed';
  /**
   * Why no further try is made; null unless it has failed
   */
  failureReason: string | null;
  data: {
    [key: string]: unknown;
  };
  /**
   * Unix epoch milliseconds
   */
  occurredAt: number;
  /**
   * Unix epoch milliseconds
   */
  createdAt: number;
  /**
   * Earliest time of the next try
   */
  nextTryAt: number | null;
  /**
   * The last ones, oldest first
   */
  tries: Array<WebhookTry>;
};

export type WebhookTry = {
  /**
   * Unix epoch milliseconds
   */
  at: number;
  /**
   * null: no answer came
   */
  statusCode: number | null;
  durationMs: number;
  /**
   * Why it failed
   */
  error: string | null;
  /**
   * First bytes of the body that was answered
   */
  answer: string | null;
};

export type WebhookTest = {
  ok: boolean;
  /**
   * null: no answer came
   */
  statusCode: number | null;
  durationMs: number;
  /**
   * Why it failed
   */
  error: string | null;
  /**
   * First bytes of the body that was answered
   */
  answer: string | null;
};

export type ProviderDelivery = {
  /**
   * accepted: the issue is read again. ignored: it is about something else. seen_before: nothing changes
   */
  outcome: 'accepted' | 'ignored' | 'seen_before';
};

export type NewExampleOutput = {
  payload: ExamplePayload;
  source: ExampleSourceOutput;
  tags: Array<string>;
};

export type ExampleSourceOutput =
  | {
      conversationId?: string;
      /**
       * Groups Examples of one origin; batch and import upsert by it
       */
      derivationKey?: string;
      externalRef?: string;
      kind: 'manual';
      traceIds?: Array<string>;
    }
  | {
      conversationId: string;
      /**
       * Groups Examples of one origin; batch and import upsert by it
       */
      derivationKey?: string;
      externalRef?: string;
      kind: 'conversation';
      traceIds: Array<string>;
    }
  | {
      conversationId?: string;
      /**
       * Groups Examples of one origin; batch and import upsert by it
       */
      derivationKey?: string;
      externalRef: string;
      kind: 'import';
      traceIds?: Array<string>;
    }
  | {
      conversationId?: string;
      /**
       * Groups Examples of one origin; batch and import upsert by it
       */
      derivationKey?: string;
      externalRef?: string;
      kind: 'synthetic';
      traceIds?: Array<string>;
    };

export type ExportAuditItem = AuditRecord;

export type CreateChatCompletionItem = ChatCompletionChunk;

export type CreateCompletionItem = CompletionChunk;

export type ExportExamplesItem = ExportedExample;

export type ListenToChangesItem = ChangeEvent;

export type ExportItemsItem = KnowledgeItem;

export type GetModelActivityItem = RuntimeActivity;

export type GetHealthData = {
  body?: never;
  path?: never;
  query?: never;
  url: '/healthz';
};

export type GetHealthResponses = {
  /**
   * It lives
   */
  200: HealthStatus;
};

export type GetHealthResponse = GetHealthResponses[keyof GetHealthResponses];

export type CreateTranscriptionData = {
  body: TranscriptionRequest;
  path?: never;
  query?: never;
  url: '/v1/audio/transcriptions';
};

export type CreateTranscriptionResponses = {
  /**
   * As the OpenAI API has it
   */
  200: {
    [key: string]: unknown;
  };
};

export type CreateTranscriptionResponse = CreateTranscriptionResponses[keyof CreateTranscriptionResponses];

export type ListAuditData = {
  body?: never;
  path?: never;
  query?: {
    /**
     * Id of a person or a key, or `bootstrap`
     */
    actor?: string;
    /**
     * One action, or an area with all its actions
     */
    action?:
      | 'workspace'
      | 'project'
      | 'api-key'
      | 'person'
      | 'session'
      | 'invitation'
      | 'member'
      | 'reset'
      | 'one-time-link'
      | 'device'
      | 'connector'
      | 'webhook'
      | 'model-provider'
      | 'rule'
      | 'diagnostics-settings'
      | 'knowledge-settings'
      | 'telemetry-settings'
      | 'model-settings'
      | 'learning-goal'
      | 'project-quotas'
      | 'dataset'
      | 'erasure'
      | 'workspace.set-up'
      | 'project.created'
      | 'project.renamed'
      | 'project.deleted'
      | 'api-key.created'
      | 'api-key.rotated'
      | 'api-key.revoked'
      | 'person.created'
      | 'person.renamed'
      | 'person.role-changed'
      | 'person.deactivated'
      | 'person.reactivated'
      | 'person.deleted'
      | 'person.password-changed'
      | 'person.identity-linked'
      | 'session.signed-in'
      | 'session.sign-in-failed'
      | 'session.signed-out'
      | 'session.ended'
      | 'invitation.created'
      | 'invitation.link-renewed'
      | 'invitation.accepted'
      | 'invitation.withdrawn'
      | 'member.added'
      | 'member.role-changed'
      | 'member.removed'
      | 'reset.created'
      | 'reset.used'
      | 'reset.withdrawn'
      | 'one-time-link.created'
      | 'one-time-link.used'
      | 'device.approved'
      | 'device.denied'
      | 'device.signed-in'
      | 'connector.created'
      | 'connector.changed'
      | 'connector.deleted'
      | 'webhook.created'
      | 'webhook.changed'
      | 'webhook.deleted'
      | 'webhook.secret-rotated'
      | 'model-provider.created'
      | 'model-provider.changed'
      | 'model-provider.deleted'
      | 'rule.changed'
      | 'diagnostics-settings.changed'
      | 'knowledge-settings.changed'
      | 'telemetry-settings.changed'
      | 'model-settings.changed'
      | 'learning-goal.created'
      | 'learning-goal.changed'
      | 'project-quotas.changed'
      | 'dataset.deleted'
      | 'erasure.requested';
    /**
     * Id of what a deed was done to
     */
    target?: string;
    /**
     * At this time or later
     */
    after?: number;
    /**
     * Before this time
     */
    before?: number;
    projectId?: string;
    limit?: number;
    cursor?: string;
  };
  url: '/v1/audit';
};

export type ListAuditResponses = {
  /**
   * OK
   */
  200: {
    entries: Array<AuditRecord>;
    nextCursor: string | null;
  };
};

export type ListAuditResponse = ListAuditResponses[keyof ListAuditResponses];

export type ExportAuditData = {
  body?: never;
  path?: never;
  query?: {
    /**
     * Id of a person or a key, or `bootstrap`
     */
    actor?: string;
    /**
     * One action, or an area with all its actions
     */
    action?:
      | 'workspace'
      | 'project'
      | 'api-key'
      | 'person'
      | 'session'
      | 'invitation'
      | 'member'
      | 'reset'
      | 'one-time-link'
      | 'device'
      | 'connector'
      | 'webhook'
      | 'model-provider'
      | 'rule'
      | 'diagnostics-settings'
      | 'knowledge-settings'
      | 'telemetry-settings'
      | 'model-settings'
      | 'learning-goal'
      | 'project-quotas'
      | 'dataset'
      | 'erasure'
      | 'workspace.set-up'
      | 'project.created'
      | 'project.renamed'
      | 'project.deleted'
      | 'api-key.created'
      | 'api-key.rotated'
      | 'api-key.revoked'
      | 'person.created'
      | 'person.renamed'
      | 'person.role-changed'
      | 'person.deactivated'
      | 'person.reactivated'
      | 'person.deleted'
      | 'person.password-changed'
      | 'person.identity-linked'
      | 'session.signed-in'
      | 'session.sign-in-failed'
      | 'session.signed-out'
      | 'session.ended'
      | 'invitation.created'
      | 'invitation.link-renewed'
      | 'invitation.accepted'
      | 'invitation.withdrawn'
      | 'member.added'
      | 'member.role-changed'
      | 'member.removed'
      | 'reset.created'
      | 'reset.used'
      | 'reset.withdrawn'
      | 'one-time-link.created'
      | 'one-time-link.used'
      | 'device.approved'
      | 'device.denied'
      | 'device.signed-in'
      | 'connector.created'
      | 'connector.changed'
      | 'connector.deleted'
      | 'webhook.created'
      | 'webhook.changed'
      | 'webhook.deleted'
      | 'webhook.secret-rotated'
      | 'model-provider.created'
      | 'model-provider.changed'
      | 'model-provider.deleted'
      | 'rule.changed'
      | 'diagnostics-settings.changed'
      | 'knowledge-settings.changed'
      | 'telemetry-settings.changed'
      | 'model-settings.changed'
      | 'learning-goal.created'
      | 'learning-goal.changed'
      | 'project-quotas.changed'
      | 'dataset.deleted'
      | 'erasure.requested';
    /**
     * Id of what a deed was done to
     */
    target?: string;
    /**
     * At this time or later
     */
    after?: number;
    /**
     * Before this time
     */
    before?: number;
    projectId?: string;
  };
  url: '/v1/audit/export';
};

export type ExportAuditResponses = {
  /**
   * OK
   */
  200: unknown;
};

export type StartDeviceData = {
  body: {
    /**
     * Name of the machine, which the key will have
     */
    name: string;
  };
  path?: never;
  query?: never;
  url: '/v1/auth/device';
};

export type StartDeviceResponses = {
  /**
   * OK
   */
  200: {
    deviceCode: string;
    /**
     * Eight letters to compare, as `BCDF-GHJK`
     */
    userCode: string;
    verificationUri: string;
    /**
     * The same with the user code
     */
    verificationUriComplete: string;
    expiresInSeconds: number;
    intervalSeconds: number;
  };
};

export type StartDeviceResponse = StartDeviceResponses[keyof StartDeviceResponses];

export type DecideDeviceData = {
  body: {
    userCode: string;
    decision?: 'approve' | 'deny';
    /**
     * The one project of the key; without it, all of yours
     */
    projectId?: string;
  };
  path?: never;
  query?: never;
  url: '/v1/auth/device/approve';
};

export type DecideDeviceResponses = {
  /**
   * OK
   */
  200: {
    name: string;
    decision: 'approve' | 'deny';
  };
};

export type DecideDeviceResponse = DecideDeviceResponses[keyof DecideDeviceResponses];

export type GetDeviceTokenData = {
  body: {
    deviceCode: string;
  };
  path?: never;
  query?: never;
  url: '/v1/auth/device/token';
};

export type GetDeviceTokenResponses = {
  /**
   * OK
   */
  200: {
    apiKey: ApiKey;
    secret: string;
  };
};

export type GetDeviceTokenResponse = GetDeviceTokenResponses[keyof GetDeviceTokenResponses];

export type GetOpenInvitationData = {
  body?: never;
  path: {
    token: string;
  };
  query?: never;
  url: '/v1/auth/invitations/{token}';
};

export type GetOpenInvitationResponses = {
  /**
   * OK
   */
  200: OpenInvitation;
};

export type GetOpenInvitationResponse = GetOpenInvitationResponses[keyof GetOpenInvitationResponses];

export type AcceptInvitationData = {
  body: {
    /**
     * Required for a new account; that of an existing one stays
     */
    name?: string;
    /**
     * New password, or that of the account that the address has
     */
    password: string;
  };
  path: {
    token: string;
  };
  query?: never;
  url: '/v1/auth/invitations/{token}';
};

export type AcceptInvitationResponses = {
  /**
   * OK
   */
  200: {
    person: Person;
  };
};

export type AcceptInvitationResponse = AcceptInvitationResponses[keyof AcceptInvitationResponses];

export type GetSignInMethodsData = {
  body?: never;
  path?: never;
  query?: never;
  url: '/v1/auth/methods';
};

export type GetSignInMethodsResponses = {
  /**
   * OK
   */
  200: {
    /**
     * Whether passwords are taken; if not, providers and one-time links are
     */
    password: boolean;
    minPasswordLength: number;
    /**
     * Sign-in providers, each begun at `/v1/auth/oidc/<id>/start`
     */
    providers: Array<{
      id: string;
      name: string;
    }>;
    /**
     * Whether nobody has an account yet: the log has a link to make the first
     */
    setup: boolean;
  };
};

export type GetSignInMethodsResponse = GetSignInMethodsResponses[keyof GetSignInMethodsResponses];

export type FinishOidcData = {
  body?: never;
  path: {
    provider: string;
  };
  query?: {
    code?: string;
    state?: string;
    iss?: string;
    error?: string;
  };
  url: '/v1/auth/oidc/{provider}/callback';
};

export type StartOidcData = {
  body?: never;
  path: {
    provider: string;
  };
  query?: {
    /**
     * Path of this deployment to go to afterwards; anything else than such a path leads to `/`
     */
    returnTo?: string;
  };
  url: '/v1/auth/oidc/{provider}/start';
};

export type CreateOneTimeLinkData = {
  body?: {
    /**
     * Whom the link signs in
     */
    email?: string;
  };
  path?: never;
  query?: never;
  url: '/v1/auth/one-time-links';
};

export type CreateOneTimeLinkResponses = {
  /**
   * OK
   */
  200: {
    link: string;
    userId: string;
    /**
     * Unix epoch milliseconds
     */
    expiresAt: number;
  };
};

export type CreateOneTimeLinkResponse = CreateOneTimeLinkResponses[keyof CreateOneTimeLinkResponses];

export type GetOpenResetData = {
  body?: never;
  path: {
    token: string;
  };
  query?: never;
  url: '/v1/auth/resets/{token}';
};

export type GetOpenResetResponses = {
  /**
   * OK
   */
  200: OpenReset;
};

export type GetOpenResetResponse = GetOpenResetResponses[keyof GetOpenResetResponses];

export type UseResetData = {
  body: {
    password: string;
  };
  path: {
    token: string;
  };
  query?: never;
  url: '/v1/auth/resets/{token}';
};

export type UseResetResponses = {
  /**
   * OK
   */
  200: {
    person: Person;
  };
};

export type UseResetResponse = UseResetResponses[keyof UseResetResponses];

export type SetUpData = {
  body: {
    token: string;
    email: string;
    name: string;
    password: string;
  };
  path?: never;
  query?: never;
  url: '/v1/auth/setup';
};

export type SetUpResponses = {
  /**
   * OK
   */
  200: {
    person: Person;
  };
};

export type SetUpResponse = SetUpResponses[keyof SetUpResponses];

export type SignInData = {
  body:
    | {
        email: string;
        password: string;
      }
    | {
        token: string;
      };
  path?: never;
  query?: never;
  url: '/v1/auth/sign-in';
};

export type SignInResponses = {
  /**
   * OK
   */
  200: {
    person: Person;
  };
};

export type SignInResponse = SignInResponses[keyof SignInResponses];

export type SignOutData = {
  body?: never;
  path?: never;
  query?: never;
  url: '/v1/auth/sign-out';
};

export type SignOutResponses = {
  /**
   * No Content
   */
  204: void;
};

export type SignOutResponse = SignOutResponses[keyof SignOutResponses];

export type CreateChatCompletionData = {
  body: ChatCompletionRequest;
  path?: never;
  query?: never;
  url: '/v1/chat/completions';
};

export type CreateChatCompletionResponses = {
  /**
   * As the OpenAI API has it
   */
  200: {
    [key: string]: unknown;
  };
};

export type CreateChatCompletionResponse = CreateChatCompletionResponses[keyof CreateChatCompletionResponses];

export type CreateCompletionData = {
  body: CompletionRequest;
  path?: never;
  query?: never;
  url: '/v1/completions';
};

export type CreateCompletionResponses = {
  /**
   * As the OpenAI API has it
   */
  200: {
    [key: string]: unknown;
  };
};

export type CreateCompletionResponse = CreateCompletionResponses[keyof CreateCompletionResponses];

export type CreateEmbeddingsData = {
  body: EmbeddingsRequest;
  path?: never;
  query?: never;
  url: '/v1/embeddings';
};

export type CreateEmbeddingsResponses = {
  /**
   * As the OpenAI API has it
   */
  200: {
    [key: string]: unknown;
  };
};

export type CreateEmbeddingsResponse = CreateEmbeddingsResponses[keyof CreateEmbeddingsResponses];

export type GetHealthSignalsData = {
  body?: never;
  path?: never;
  query?: never;
  url: '/v1/health/signals';
};

export type GetHealthSignalsResponses = {
  /**
   * OK
   */
  200: {
    signals: HealthSignals;
  };
};

export type GetHealthSignalsResponse = GetHealthSignalsResponses[keyof GetHealthSignalsResponses];

export type ListInvitationsData = {
  body?: never;
  path?: never;
  query?: {
    limit?: number;
    cursor?: string;
    projectId?: string;
  };
  url: '/v1/invitations';
};

export type ListInvitationsResponses = {
  /**
   * OK
   */
  200: {
    invitations: Array<Invitation>;
    nextCursor: string | null;
  };
};

export type ListInvitationsResponse = ListInvitationsResponses[keyof ListInvitationsResponses];

export type CreateInvitationData = {
  body: {
    email: string;
    role?: 'owner';
    projectRoles?: Array<{
      projectId: string;
      role: 'viewer' | 'editor' | 'admin';
    }>;
  };
  path?: never;
  query?: never;
  url: '/v1/invitations';
};

export type CreateInvitationResponses = {
  /**
   * Created
   */
  201: InvitationLink;
};

export type CreateInvitationResponse = CreateInvitationResponses[keyof CreateInvitationResponses];

export type WithdrawInvitationData = {
  body?: never;
  path: {
    invitationId: string;
  };
  query?: never;
  url: '/v1/invitations/{invitationId}';
};

export type WithdrawInvitationResponses = {
  /**
   * No Content
   */
  204: void;
};

export type WithdrawInvitationResponse = WithdrawInvitationResponses[keyof WithdrawInvitationResponses];

export type CreateInvitationLinkData = {
  body?: never;
  path: {
    invitationId: string;
  };
  query?: never;
  url: '/v1/invitations/{invitationId}/link';
};

export type CreateInvitationLinkResponses = {
  /**
   * Created
   */
  201: InvitationLink;
};

export type CreateInvitationLinkResponse = CreateInvitationLinkResponses[keyof CreateInvitationLinkResponses];

export type ExportLogsData = {
  body: {
    [key: string]: unknown;
  };
  path?: never;
  query?: never;
  url: '/v1/logs';
};

export type ExportLogsResponses = {
  /**
   * OK
   */
  200: {
    partialSuccess?: {
      rejectedSpans?: string;
      rejectedLogRecords?: string;
      rejectedDataPoints?: string;
      errorMessage: string;
    };
  };
};

export type ExportLogsResponse = ExportLogsResponses[keyof ExportLogsResponses];

export type GetMeData = {
  body?: never;
  path?: never;
  query?: never;
  url: '/v1/me';
};

export type GetMeResponses = {
  /**
   * OK
   */
  200: Me;
};

export type GetMeResponse = GetMeResponses[keyof GetMeResponses];

export type UpdateMeData = {
  body: {
    name: string;
  };
  path?: never;
  query?: never;
  url: '/v1/me';
};

export type UpdateMeResponses = {
  /**
   * OK
   */
  200: Me;
};

export type UpdateMeResponse = UpdateMeResponses[keyof UpdateMeResponses];

export type RevokeOwnKeyData = {
  body?: never;
  path?: never;
  query?: never;
  url: '/v1/me/key';
};

export type RevokeOwnKeyResponses = {
  /**
   * No Content
   */
  204: void;
};

export type RevokeOwnKeyResponse = RevokeOwnKeyResponses[keyof RevokeOwnKeyResponses];

export type ChangeMyPasswordData = {
  body: {
    /**
     * Needed by who has a password
     */
    currentPassword?: string;
    newPassword: string;
  };
  path?: never;
  query?: never;
  url: '/v1/me/password';
};

export type ChangeMyPasswordResponses = {
  /**
   * No Content
   */
  204: void;
};

export type ChangeMyPasswordResponse = ChangeMyPasswordResponses[keyof ChangeMyPasswordResponses];

export type EndMyOtherSessionsData = {
  body?: never;
  path?: never;
  query?: never;
  url: '/v1/me/sessions';
};

export type EndMyOtherSessionsResponses = {
  /**
   * No Content
   */
  204: void;
};

export type EndMyOtherSessionsResponse = EndMyOtherSessionsResponses[keyof EndMyOtherSessionsResponses];

export type ListMySessionsData = {
  body?: never;
  path?: never;
  query?: never;
  url: '/v1/me/sessions';
};

export type ListMySessionsResponses = {
  /**
   * OK
   */
  200: {
    sessions: Array<Session>;
  };
};

export type ListMySessionsResponse = ListMySessionsResponses[keyof ListMySessionsResponses];

export type EndMySessionData = {
  body?: never;
  path: {
    sessionId: string;
  };
  query?: never;
  url: '/v1/me/sessions/{sessionId}';
};

export type EndMySessionResponses = {
  /**
   * No Content
   */
  204: void;
};

export type EndMySessionResponse = EndMySessionResponses[keyof EndMySessionResponses];

export type ExportMetricsData = {
  body: {
    [key: string]: unknown;
  };
  path?: never;
  query?: never;
  url: '/v1/metrics';
};

export type ExportMetricsResponses = {
  /**
   * OK
   */
  200: {
    partialSuccess?: {
      rejectedSpans?: string;
      rejectedLogRecords?: string;
      rejectedDataPoints?: string;
      errorMessage: string;
    };
  };
};

export type ExportMetricsResponse = ExportMetricsResponses[keyof ExportMetricsResponses];

export type ListInferenceModelsData = {
  body?: never;
  path?: never;
  query?: never;
  url: '/v1/models';
};

export type ListInferenceModelsResponses = {
  /**
   * OK
   */
  200: {
    object: 'list';
    data: Array<{
      id: string;
      object: 'model';
      created: number;
      owned_by: string;
    }>;
  };
};

export type ListInferenceModelsResponse = ListInferenceModelsResponses[keyof ListInferenceModelsResponses];

export type ListPeopleData = {
  body?: never;
  path?: never;
  query?: {
    limit?: number;
    cursor?: string;
    /**
     * A part of the name or of the address
     */
    q?: string;
    state?: 'active' | 'deactivated';
  };
  url: '/v1/people';
};

export type ListPeopleResponses = {
  /**
   * OK
   */
  200: {
    people: Array<Person>;
    nextCursor: string | null;
  };
};

export type ListPeopleResponse = ListPeopleResponses[keyof ListPeopleResponses];

export type DeletePersonData = {
  body?: never;
  path: {
    personId: string;
  };
  query?: never;
  url: '/v1/people/{personId}';
};

export type DeletePersonResponses = {
  /**
   * No Content
   */
  204: void;
};

export type DeletePersonResponse = DeletePersonResponses[keyof DeletePersonResponses];

export type GetPersonData = {
  body?: never;
  path: {
    personId: string;
  };
  query?: never;
  url: '/v1/people/{personId}';
};

export type GetPersonResponses = {
  /**
   * OK
   */
  200: Person;
};

export type GetPersonResponse = GetPersonResponses[keyof GetPersonResponses];

export type UpdatePersonData = {
  body: {
    name?: string;
    /**
     * A person who is deactivated has no session, and no key that they made works, until they are active
     */
    state?: 'active' | 'deactivated';
    /**
     * Whether the whole workspace is open to this person
     */
    owner?: boolean;
  };
  path: {
    personId: string;
  };
  query?: never;
  url: '/v1/people/{personId}';
};

export type UpdatePersonResponses = {
  /**
   * OK
   */
  200: Person;
};

export type UpdatePersonResponse = UpdatePersonResponses[keyof UpdatePersonResponses];

export type CreateResetLinkData = {
  body?: never;
  path: {
    personId: string;
  };
  query?: never;
  url: '/v1/people/{personId}/reset-links';
};

export type CreateResetLinkResponses = {
  /**
   * Created
   */
  201: ResetLink;
};

export type CreateResetLinkResponse = CreateResetLinkResponses[keyof CreateResetLinkResponses];

export type GetProjectErasureData = {
  body?: never;
  path: {
    projectErasureId: string;
  };
  query?: never;
  url: '/v1/project-erasures/{projectErasureId}';
};

export type GetProjectErasureResponses = {
  /**
   * OK
   */
  200: ProjectErasure;
};

export type GetProjectErasureResponse = GetProjectErasureResponses[keyof GetProjectErasureResponses];

export type ListProjectsData = {
  body?: never;
  path?: never;
  query?: {
    limit?: number;
    cursor?: string;
  };
  url: '/v1/projects';
};

export type ListProjectsResponses = {
  /**
   * OK
   */
  200: {
    projects: Array<Project>;
    nextCursor: string | null;
  };
};

export type ListProjectsResponse = ListProjectsResponses[keyof ListProjectsResponses];

export type CreateProjectData = {
  body: {
    name: string;
  };
  path?: never;
  query?: never;
  url: '/v1/projects';
};

export type CreateProjectResponses = {
  /**
   * Created
   */
  201: Project;
};

export type CreateProjectResponse = CreateProjectResponses[keyof CreateProjectResponses];

export type DeleteProjectData = {
  body?: never;
  path: {
    projectId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}';
};

export type DeleteProjectResponses = {
  /**
   * Accepted
   */
  202: {
    erasureId: string;
  };
};

export type DeleteProjectResponse = DeleteProjectResponses[keyof DeleteProjectResponses];

export type GetProjectData = {
  body?: never;
  path: {
    projectId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}';
};

export type GetProjectResponses = {
  /**
   * OK
   */
  200: Project;
};

export type GetProjectResponse = GetProjectResponses[keyof GetProjectResponses];

export type UpdateProjectData = {
  body: {
    name: string;
  };
  path: {
    projectId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}';
};

export type UpdateProjectResponses = {
  /**
   * OK
   */
  200: Project;
};

export type UpdateProjectResponse = UpdateProjectResponses[keyof UpdateProjectResponses];

export type ListApiKeysData = {
  body?: never;
  path: {
    projectId: string;
  };
  query?: {
    limit?: number;
    cursor?: string;
  };
  url: '/v1/projects/{projectId}/api-keys';
};

export type ListApiKeysResponses = {
  /**
   * OK
   */
  200: {
    apiKeys: Array<ApiKey>;
    nextCursor: string | null;
  };
};

export type ListApiKeysResponse = ListApiKeysResponses[keyof ListApiKeysResponses];

export type CreateApiKeyData = {
  body: {
    name: string;
    scopes: Array<
      | 'workspace:read'
      | 'workspace:write'
      | 'models:manage'
      | 'gateway:invoke'
      | 'project:data:write'
      | 'diagnostics:read'
      | 'diagnostics:write'
      | 'telemetry:write'
      | 'workspace:admin'
    >;
    /**
     * No later than that of the key that makes it, and the same as that where absent or null
     */
    expiresAt?: number | null;
    /**
     * The projects that the key opens; only that of the path where absent
     */
    projectIds?: 'all' | Array<string>;
  };
  path: {
    projectId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/api-keys';
};

export type CreateApiKeyResponses = {
  /**
   * Created
   */
  201: ApiKeySecret;
};

export type CreateApiKeyResponse = CreateApiKeyResponses[keyof CreateApiKeyResponses];

export type RevokeApiKeyData = {
  body?: never;
  path: {
    projectId: string;
    keyId: string;
  };
  query?: {
    withDescendants?: boolean;
  };
  url: '/v1/projects/{projectId}/api-keys/{keyId}';
};

export type RevokeApiKeyResponses = {
  /**
   * OK
   */
  200: RevokedApiKeys;
  /**
   * No Content
   */
  204: void;
};

export type RevokeApiKeyResponse = RevokeApiKeyResponses[keyof RevokeApiKeyResponses];

export type RotateApiKeyData = {
  body?: {
    graceMs?: number;
  };
  path: {
    projectId: string;
    keyId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/api-keys/{keyId}/rotate';
};

export type RotateApiKeyResponses = {
  /**
   * Created
   */
  201: ApiKeySecret;
};

export type RotateApiKeyResponse = RotateApiKeyResponses[keyof RotateApiKeyResponses];

export type ListProjectAuditData = {
  body?: never;
  path: {
    projectId: string;
  };
  query?: {
    /**
     * Id of a person or a key, or `bootstrap`
     */
    actor?: string;
    /**
     * One action, or an area with all its actions
     */
    action?:
      | 'workspace'
      | 'project'
      | 'api-key'
      | 'person'
      | 'session'
      | 'invitation'
      | 'member'
      | 'reset'
      | 'one-time-link'
      | 'device'
      | 'connector'
      | 'webhook'
      | 'model-provider'
      | 'rule'
      | 'diagnostics-settings'
      | 'knowledge-settings'
      | 'telemetry-settings'
      | 'model-settings'
      | 'learning-goal'
      | 'project-quotas'
      | 'dataset'
      | 'erasure'
      | 'workspace.set-up'
      | 'project.created'
      | 'project.renamed'
      | 'project.deleted'
      | 'api-key.created'
      | 'api-key.rotated'
      | 'api-key.revoked'
      | 'person.created'
      | 'person.renamed'
      | 'person.role-changed'
      | 'person.deactivated'
      | 'person.reactivated'
      | 'person.deleted'
      | 'person.password-changed'
      | 'person.identity-linked'
      | 'session.signed-in'
      | 'session.sign-in-failed'
      | 'session.signed-out'
      | 'session.ended'
      | 'invitation.created'
      | 'invitation.link-renewed'
      | 'invitation.accepted'
      | 'invitation.withdrawn'
      | 'member.added'
      | 'member.role-changed'
      | 'member.removed'
      | 'reset.created'
      | 'reset.used'
      | 'reset.withdrawn'
      | 'one-time-link.created'
      | 'one-time-link.used'
      | 'device.approved'
      | 'device.denied'
      | 'device.signed-in'
      | 'connector.created'
      | 'connector.changed'
      | 'connector.deleted'
      | 'webhook.created'
      | 'webhook.changed'
      | 'webhook.deleted'
      | 'webhook.secret-rotated'
      | 'model-provider.created'
      | 'model-provider.changed'
      | 'model-provider.deleted'
      | 'rule.changed'
      | 'diagnostics-settings.changed'
      | 'knowledge-settings.changed'
      | 'telemetry-settings.changed'
      | 'model-settings.changed'
      | 'learning-goal.created'
      | 'learning-goal.changed'
      | 'project-quotas.changed'
      | 'dataset.deleted'
      | 'erasure.requested';
    /**
     * Id of what a deed was done to
     */
    target?: string;
    /**
     * At this time or later
     */
    after?: number;
    /**
     * Before this time
     */
    before?: number;
    limit?: number;
    cursor?: string;
  };
  url: '/v1/projects/{projectId}/audit';
};

export type ListProjectAuditResponses = {
  /**
   * OK
   */
  200: {
    entries: Array<AuditRecord>;
    nextCursor: string | null;
  };
};

export type ListProjectAuditResponse = ListProjectAuditResponses[keyof ListProjectAuditResponses];

export type ListConversationsData = {
  body?: never;
  path: {
    projectId: string;
  };
  query?: {
    /**
     * Inclusive
     */
    startedAfter?: number;
    /**
     * Exclusive
     */
    startedBefore?: number;
    agent?: string;
    model?: string;
    userId?: string;
    hasFinding?: boolean;
    /**
     * A model call or a tool run in it failed
     */
    hasError?: boolean;
    state?: 'active' | 'ready';
    /**
     * The name of a tool that it called
     */
    tool?: string;
    minMessages?: number;
    /**
     * `<name>:success` or `<name>:failure`, as the scores that count in the project mean it
     */
    score?: string;
    /**
     * Words that all occur in its messages
     */
    q?: string;
    limit?: number;
    cursor?: string;
  };
  url: '/v1/projects/{projectId}/conversations';
};

export type ListConversationsResponses = {
  /**
   * OK
   */
  200: {
    conversations: Array<ConversationSummary>;
    nextCursor: string | null;
  };
};

export type ListConversationsResponse = ListConversationsResponses[keyof ListConversationsResponses];

export type EraseConversationData = {
  body?: never;
  path: {
    projectId: string;
    conversationId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/conversations/{conversationId}';
};

export type EraseConversationResponses = {
  /**
   * Accepted
   */
  202: {
    erasureId: string;
  };
};

export type EraseConversationResponse = EraseConversationResponses[keyof EraseConversationResponses];

export type GetConversationData = {
  body?: never;
  path: {
    projectId: string;
    conversationId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/conversations/{conversationId}';
};

export type GetConversationResponses = {
  /**
   * OK
   */
  200: Conversation;
};

export type GetConversationResponse = GetConversationResponses[keyof GetConversationResponses];

export type ListConversationMessagesData = {
  body?: never;
  path: {
    projectId: string;
    conversationId: string;
  };
  query?: {
    /**
     * The first index; 0 if it is left out
     */
    from?: number;
    /**
     * The index that is in the middle
     */
    around?: number;
    limit?: number;
  };
  url: '/v1/projects/{projectId}/conversations/{conversationId}/messages';
};

export type ListConversationMessagesResponses = {
  /**
   * OK
   */
  200: {
    contentHash: string;
    /**
     * Of the whole conversation
     */
    messageCount: number;
    from: number;
    messages: Array<ConversationMessage>;
  };
};

export type ListConversationMessagesResponse =
  ListConversationMessagesResponses[keyof ListConversationMessagesResponses];

export type CreateScoreData = {
  body: {
    name: string;
    value: number | boolean | string;
    traceId?: string;
    comment?: string;
    source: 'user' | 'evaluator' | 'api';
  };
  path: {
    projectId: string;
    conversationId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/conversations/{conversationId}/scores';
};

export type CreateScoreResponses = {
  /**
   * Created
   */
  201: Score;
};

export type CreateScoreResponse = CreateScoreResponses[keyof CreateScoreResponses];

export type CountConversationsData = {
  body?: never;
  path: {
    projectId: string;
  };
  query?: {
    /**
     * Inclusive
     */
    startedAfter?: number;
    /**
     * Exclusive
     */
    startedBefore?: number;
    agent?: string;
    model?: string;
    userId?: string;
    hasFinding?: boolean;
    /**
     * A model call or a tool run in it failed
     */
    hasError?: boolean;
    state?: 'active' | 'ready';
    /**
     * The name of a tool that it called
     */
    tool?: string;
    minMessages?: number;
    /**
     * `<name>:success` or `<name>:failure`, as the scores that count in the project mean it
     */
    score?: string;
    /**
     * Words that all occur in its messages
     */
    q?: string;
    /**
     * Fields by whose values they are counted too, separated by commas
     */
    by?: string;
  };
  url: '/v1/projects/{projectId}/conversations/counts';
};

export type CountConversationsResponses = {
  /**
   * OK
   */
  200: {
    total: Count;
    counts: {
      state?: Array<{
        count: number;
        /**
         * There are, or may be, more: it was counted no further
         */
        atLeast: boolean;
        value: string;
      }>;
      hasError?: Array<{
        count: number;
        /**
         * There are, or may be, more: it was counted no further
         */
        atLeast: boolean;
        value: string;
      }>;
      hasFinding?: Array<{
        count: number;
        /**
         * There are, or may be, more: it was counted no further
         */
        atLeast: boolean;
        value: string;
      }>;
    };
  };
};

export type CountConversationsResponse = CountConversationsResponses[keyof CountConversationsResponses];

export type ImportConversationsData = {
  body?: unknown;
  path: {
    projectId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/conversations/import';
};

export type ImportConversationsResponses = {
  /**
   * OK
   */
  200: ConversationImportReport;
};

export type ImportConversationsResponse = ImportConversationsResponses[keyof ImportConversationsResponses];

export type ReadConversationSeriesData = {
  body?: never;
  path: {
    projectId: string;
  };
  query: {
    startMs: number;
    /**
     * Exclusive
     */
    endMs: number;
    /**
     * A multiple of an hour
     */
    intervalMs: number;
    /**
     * One series for each of its values; a conversation with several counts in each of them
     */
    by?: 'agent' | 'model';
  };
  url: '/v1/projects/{projectId}/conversations/series';
};

export type ReadConversationSeriesResponses = {
  /**
   * OK
   */
  200: {
    series: Array<{
      /**
       * The agent or model; null without `by`, and for all that are not told apart
       */
      value: string | null;
      points: Array<ConversationPoint>;
    }>;
  };
};

export type ReadConversationSeriesResponse = ReadConversationSeriesResponses[keyof ReadConversationSeriesResponses];

export type ListDatasetsData = {
  body?: never;
  path: {
    projectId: string;
  };
  query?: {
    /**
     * Words that begin words of its name, in any case
     */
    q?: string;
    collectionStatus?: 'off' | 'ready' | 'setup_required';
    limit?: number;
    cursor?: string;
  };
  url: '/v1/projects/{projectId}/datasets';
};

export type ListDatasetsResponses = {
  /**
   * OK
   */
  200: {
    datasets: Array<Dataset>;
    nextCursor: string | null;
  };
};

export type ListDatasetsResponse = ListDatasetsResponses[keyof ListDatasetsResponses];

export type CreateDatasetData = {
  body: {
    name: string;
    description?: string | null;
    schema: DatasetSchema;
    collectionObjective?:
      | 'preserve_successful_behavior'
      | 'correct_failed_conversations'
      | 'learn_from_user_corrections'
      | 'teach_project_knowledge'
      | null;
    collectionModel?: string | null;
    collectionEnabled?: boolean;
    collectionFilters?: {
      /**
       * Narrows the objective teach_project_knowledge
       */
      knowledgeGoalIds?: Array<string>;
    } | null;
    /**
     * Whether personal data and secrets are replaced in what the Dataset collects by itself
     */
    collectedRedaction?: 'on' | 'off';
    /**
     * If it is given, the catch-up begins at once; else collection begins with what comes from now on
     */
    collectionCatchUp?: {
      /**
       * Conversations of so many last days
       */
      days: number;
      /**
       * At most so many of them, the latest first
       */
      conversations: number;
    } | null;
    /**
     * Responses that models may be asked for in a day (UTC) to fill the Dataset
     */
    dailySyntheses?: number;
  };
  path: {
    projectId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/datasets';
};

export type CreateDatasetResponses = {
  /**
   * Created
   */
  201: Dataset;
};

export type CreateDatasetResponse = CreateDatasetResponses[keyof CreateDatasetResponses];

export type DeleteDatasetData = {
  body?: never;
  path: {
    projectId: string;
    datasetId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/datasets/{datasetId}';
};

export type DeleteDatasetResponses = {
  /**
   * Accepted
   */
  202: {
    id: string;
    status: 'deleting';
  };
  /**
   * No Content
   */
  204: void;
};

export type DeleteDatasetResponse = DeleteDatasetResponses[keyof DeleteDatasetResponses];

export type GetDatasetData = {
  body?: never;
  path: {
    projectId: string;
    datasetId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/datasets/{datasetId}';
};

export type GetDatasetResponses = {
  /**
   * OK
   */
  200: Dataset;
};

export type GetDatasetResponse = GetDatasetResponses[keyof GetDatasetResponses];

export type UpdateDatasetData = {
  body: {
    name?: string;
    description?: string | null;
    /**
     * null removes the policy
     */
    collectionObjective?:
      | 'preserve_successful_behavior'
      | 'correct_failed_conversations'
      | 'learn_from_user_corrections'
      | 'teach_project_knowledge'
      | null;
    /**
     * null returns to the default
     */
    collectionModel?: string | null;
    collectionEnabled?: boolean;
    /**
     * null removes the filters
     */
    collectionFilters?: {
      /**
       * Narrows the objective teach_project_knowledge
       */
      knowledgeGoalIds?: Array<string>;
    } | null;
    /**
     * Whether personal data and secrets are replaced in what the Dataset collects by itself
     */
    collectedRedaction?: 'on' | 'off';
    /**
     * What is looked at when collection is switched on again; null: only what comes from then on
     */
    collectionCatchUp?: {
      /**
       * Conversations of so many last days
       */
      days: number;
      /**
       * At most so many of them, the latest first
       */
      conversations: number;
    } | null;
    /**
     * Responses that models may be asked for in a day (UTC) to fill the Dataset
     */
    dailySyntheses?: number;
  };
  path: {
    projectId: string;
    datasetId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/datasets/{datasetId}';
};

export type UpdateDatasetResponses = {
  /**
   * OK
   */
  200: Dataset;
};

export type UpdateDatasetResponse = UpdateDatasetResponses[keyof UpdateDatasetResponses];

export type CollectConversationsData = {
  body: {
    conversationIds: Array<string>;
  };
  path: {
    projectId: string;
    datasetId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/datasets/{datasetId}/collection/collect';
};

export type CollectConversationsResponses = {
  /**
   * Accepted
   */
  202: {
    /**
     * Those that are looked at
     */
    conversationIds: Array<string>;
    /**
     * Those that the project does not have
     */
    unknown: Array<string>;
  };
};

export type CollectConversationsResponse = CollectConversationsResponses[keyof CollectConversationsResponses];

export type ListCollectionDecisionsData = {
  body?: never;
  path: {
    projectId: string;
    datasetId: string;
  };
  query?: {
    limit?: number;
    cursor?: string;
    outcome?: 'collected' | 'replaced' | 'kept' | 'stale' | 'removed_by_hand' | 'refused' | 'to_synthesize';
    reason?:
      | 'failing_score'
      | 'no_success_signal'
      | 'no_answer'
      | 'open_problem'
      | 'likely_failed'
      | 'not_analysed'
      | 'conversation_gone'
      | 'words_expired'
      | 'conversation_too_long'
      | 'example_too_large'
      | 'example_invalid'
      | 'worker_gave_up'
      | 'no_grave_problem'
      | 'no_user_correction'
      | 'no_step_to_correct'
      | 'not_active'
      | 'item_gone'
      | 'model_declined'
      | 'model_failed'
      | 'equal_to_rejected'
      | 'quotes_not_found'
      | 'not_grounded'
      | 'unknown_tool'
      | 'second_look'
      | 'collection_off';
    conversationId?: string;
    itemId?: string;
  };
  url: '/v1/projects/{projectId}/datasets/{datasetId}/collection/decisions';
};

export type ListCollectionDecisionsResponses = {
  /**
   * OK
   */
  200: {
    decisions: Array<CollectionDecision>;
    nextCursor: string | null;
  };
};

export type ListCollectionDecisionsResponse = ListCollectionDecisionsResponses[keyof ListCollectionDecisionsResponses];

export type PreviewCollectionData = {
  body: {
    [key: string]: never;
  };
  path: {
    projectId: string;
    datasetId: string;
  };
  query?: {
    /**
     * Responses that the model of the Dataset writes, to look at
     */
    synthesize?: number;
  };
  url: '/v1/projects/{projectId}/datasets/{datasetId}/collection/preview';
};

export type PreviewCollectionResponses = {
  /**
   * OK
   */
  200: CollectionPreview;
};

export type PreviewCollectionResponse = PreviewCollectionResponses[keyof PreviewCollectionResponses];

export type ListExamplesData = {
  body?: never;
  path: {
    projectId: string;
    datasetId: string;
  };
  query?: {
    limit?: number;
    cursor?: string;
    /**
     * As the Dataset was at this version
     */
    version?: number;
    split?: 'train' | 'validation' | 'test';
    /**
     * Percentages of train, validation and test: 80,10,10
     */
    ratio?: string;
    tag?: string;
    sourceKind?: 'manual' | 'conversation' | 'import' | 'synthetic';
    /**
     * The conversation that it came from
     */
    conversationId?: string;
    /**
     * Words that are all among the first of its input and its expected output
     */
    q?: string;
  };
  url: '/v1/projects/{projectId}/datasets/{datasetId}/examples';
};

export type ListExamplesResponses = {
  /**
   * OK
   */
  200: {
    examples: Array<Example>;
    nextCursor: string | null;
  };
};

export type ListExamplesResponse = ListExamplesResponses[keyof ListExamplesResponses];

export type CreateExampleData = {
  body: NewExample;
  path: {
    projectId: string;
    datasetId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/datasets/{datasetId}/examples';
};

export type CreateExampleResponses = {
  /**
   * Created
   */
  201: Example;
};

export type CreateExampleResponse = CreateExampleResponses[keyof CreateExampleResponses];

export type DeleteExampleData = {
  body?: never;
  path: {
    projectId: string;
    datasetId: string;
    exampleId: string;
  };
  query?: {
    /**
     * Removes its content from every version; also of an Example that was deleted before
     */
    erase?: boolean;
  };
  url: '/v1/projects/{projectId}/datasets/{datasetId}/examples/{exampleId}';
};

export type DeleteExampleResponses = {
  /**
   * No Content
   */
  204: void;
};

export type DeleteExampleResponse = DeleteExampleResponses[keyof DeleteExampleResponses];

export type GetExampleData = {
  body?: never;
  path: {
    projectId: string;
    datasetId: string;
    exampleId: string;
  };
  query?: {
    /**
     * As the Dataset was at this version
     */
    version?: number;
  };
  url: '/v1/projects/{projectId}/datasets/{datasetId}/examples/{exampleId}';
};

export type GetExampleResponses = {
  /**
   * OK
   */
  200: Example;
};

export type GetExampleResponse = GetExampleResponses[keyof GetExampleResponses];

export type UpdateExampleData = {
  body: {
    source?: ExampleSource;
    tags?: Array<string>;
    payload?: ExamplePayload;
  };
  path: {
    projectId: string;
    datasetId: string;
    exampleId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/datasets/{datasetId}/examples/{exampleId}';
};

export type UpdateExampleResponses = {
  /**
   * OK
   */
  200: Example;
};

export type UpdateExampleResponse = UpdateExampleResponses[keyof UpdateExampleResponses];

export type CreateExamplesData = {
  body: {
    /**
     * Each as in the body of createExample
     */
    examples: Array<unknown>;
  };
  path: {
    projectId: string;
    datasetId: string;
  };
  query?: {
    partial?: boolean;
    /**
     * What happens where the Dataset holds an Example of the same derivationKey: it stays (skip), is replaced (update), or the new one is refused (fail). Without it, both are kept.
     */
    onConflict?: 'skip' | 'update' | 'fail';
  };
  url: '/v1/projects/{projectId}/datasets/{datasetId}/examples/batch';
};

export type CreateExamplesResponses = {
  /**
   * OK
   */
  200: {
    results: Array<{
      index: number;
      id?: string;
      outcome?: 'created' | 'updated' | 'skipped';
      error?: {
        /**
         * The reason phrase of the status
         */
        error: string;
        message: string;
        code?: string;
        /**
         * What is wrong with which field. With FORBIDDEN, one entry for each right that would do: its kind (`scope` or `permission`) in `path`, its name in `message`.
         */
        details?: Array<{
          path: string;
          message: string;
        }>;
        /**
         * With QUOTA_EXCEEDED
         */
        quota?: QuotaRefusal;
      };
    }>;
  };
  /**
   * Created
   */
  201: {
    examples: Array<Example>;
  };
};

export type CreateExamplesResponse = CreateExamplesResponses[keyof CreateExamplesResponses];

export type UpdateExamplesData = {
  body: {
    examples: Array<{
      exampleId: string;
      version?: number;
    }>;
    change: {
      addTags?: Array<string>;
      removeTags?: Array<string>;
      delete?: true;
    };
  };
  path: {
    projectId: string;
    datasetId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/datasets/{datasetId}/examples/bulk-updates';
};

export type UpdateExamplesResponses = {
  /**
   * OK
   */
  200: {
    results: Array<{
      exampleId: string;
      outcome: 'updated' | 'deleted' | 'unchanged' | 'refused';
      /**
       * The version that made it what it is now
       */
      version?: number;
      /**
       * Why it was refused
       */
      error?: {
        /**
         * The reason phrase of the status
         */
        error: string;
        message: string;
        code?: string;
        /**
         * What is wrong with which field. With FORBIDDEN, one entry for each right that would do: its kind (`scope` or `permission`) in `path`, its name in `message`.
         */
        details?: Array<{
          path: string;
          message: string;
        }>;
        /**
         * With QUOTA_EXCEEDED
         */
        quota?: QuotaRefusal;
      };
    }>;
  };
};

export type UpdateExamplesResponse = UpdateExamplesResponses[keyof UpdateExamplesResponses];

export type CountExamplesData = {
  body?: never;
  path: {
    projectId: string;
    datasetId: string;
  };
  query?: {
    tag?: string;
    sourceKind?: 'manual' | 'conversation' | 'import' | 'synthetic';
    /**
     * The conversation that it came from
     */
    conversationId?: string;
    /**
     * Words that are all among the first of its input and its expected output
     */
    q?: string;
    /**
     * Fields by whose values they are counted too, separated by commas. An Example counts for each of its tags; `split` counts those whose tags name one.
     */
    by?: string;
  };
  url: '/v1/projects/{projectId}/datasets/{datasetId}/examples/counts';
};

export type CountExamplesResponses = {
  /**
   * OK
   */
  200: {
    total: Count;
    counts: {
      tag?: Array<{
        count: number;
        /**
         * There are, or may be, more: it was counted no further
         */
        atLeast: boolean;
        value: string;
      }>;
      sourceKind?: Array<{
        count: number;
        /**
         * There are, or may be, more: it was counted no further
         */
        atLeast: boolean;
        value: string;
      }>;
      split?: Array<{
        count: number;
        /**
         * There are, or may be, more: it was counted no further
         */
        atLeast: boolean;
        value: string;
      }>;
    };
  };
};

export type CountExamplesResponse = CountExamplesResponses[keyof CountExamplesResponses];

export type ExportExamplesData = {
  body?: never;
  path: {
    projectId: string;
    datasetId: string;
  };
  query?: {
    format?: 'jsonl' | 'csv' | 'openai-sft' | 'openai-dpo';
    /**
     * As the Dataset was at this version
     */
    version?: number;
    /**
     * Also those that collection has marked with the tag `stale`
     */
    includeStale?: boolean;
    split?: 'train' | 'validation' | 'test';
    /**
     * Percentages of train, validation and test: 80,10,10
     */
    ratio?: string;
  };
  url: '/v1/projects/{projectId}/datasets/{datasetId}/export';
};

export type ExportExamplesResponses = {
  /**
   * OK
   */
  200: unknown;
};

export type ImportExamplesData = {
  body?: unknown;
  path: {
    projectId: string;
    datasetId: string;
  };
  query: {
    format: 'jsonl' | 'csv' | 'openai-chat';
    /**
     * Of a CSV: a JSON object from the name of a column to the field that it fills (id, createdAt, updatedAt, source.kind, source.externalRef, source.conversationId, source.traceIds, source.derivationKey, tags, input.type, input.text, input.prompt, input.system, input.instruction, input.context, input.messages, input.tools, input.parallelToolCalls, input.value, expectedOutput.type, expectedOutput.text, expectedOutput.label, expectedOutput.message, expectedOutput.value, rejectedOutput.type, rejectedOutput.text, rejectedOutput.label, rejectedOutput.message, rejectedOutput.value, rubric, input, expectedOutput, rejectedOutput, kind, externalRef, conversationId, traceIds, derivationKey). Columns that it does not name are ignored. Without it the columns must have the names of fields
     */
    mapping?: string;
    /**
     * Of a CSV; `comma` without it
     */
    delimiter?: 'comma' | 'semicolon' | 'tab';
    /**
     * What happens where the Dataset holds an Example of the same derivationKey: it stays (skip), is replaced (update), or the new one is refused (fail). Without it, both are kept.
     */
    onConflict?: 'skip' | 'update' | 'fail';
    /**
     * Names the origin of lines that name none; `<format>#<line>` without it
     */
    externalRef?: string;
  };
  url: '/v1/projects/{projectId}/datasets/{datasetId}/imports';
};

export type ImportExamplesResponses = {
  /**
   * OK
   */
  200: DatasetImportReport;
};

export type ImportExamplesResponse = ImportExamplesResponses[keyof ImportExamplesResponses];

export type ListVersionsData = {
  body?: never;
  path: {
    projectId: string;
    datasetId: string;
  };
  query?: {
    limit?: number;
    cursor?: string;
  };
  url: '/v1/projects/{projectId}/datasets/{datasetId}/versions';
};

export type ListVersionsResponses = {
  /**
   * OK
   */
  200: {
    versions: Array<DatasetVersion>;
    nextCursor: string | null;
  };
};

export type ListVersionsResponse = ListVersionsResponses[keyof ListVersionsResponses];

export type DiffVersionsData = {
  body?: never;
  path: {
    projectId: string;
    datasetId: string;
  };
  query: {
    from: number;
    to: number;
    include?: 'examples';
    /**
     * By default 100, or 50 with `include`, which is then the most
     */
    limit?: number;
    cursor?: string;
  };
  url: '/v1/projects/{projectId}/datasets/{datasetId}/versions/diff';
};

export type DiffVersionsResponses = {
  /**
   * OK
   */
  200: {
    from: DatasetVersion;
    to: DatasetVersion;
    changes: Array<VersionChange>;
    nextCursor: string | null;
  };
};

export type DiffVersionsResponse = DiffVersionsResponses[keyof DiffVersionsResponses];

export type ListAnalysisRunsData = {
  body?: never;
  path: {
    projectId: string;
  };
  query?: {
    conversationId?: string;
    state?: string;
    trigger?: string;
    /**
     * At this time or later
     */
    createdAfter?: number;
    /**
     * Before this time
     */
    createdBefore?: number;
    limit?: number;
    cursor?: string;
  };
  url: '/v1/projects/{projectId}/diagnostics/analysis-runs';
};

export type ListAnalysisRunsResponses = {
  /**
   * OK
   */
  200: {
    analysisRuns: Array<AnalysisRuns>;
    nextCursor: string | null;
  };
};

export type ListAnalysisRunsResponse = ListAnalysisRunsResponses[keyof ListAnalysisRunsResponses];

export type CreateAnalysisRunsData = {
  body: {
    conversationId: string;
    /**
     * Unix epoch milliseconds
     */
    lastActivityAt: number;
    /**
     * Entries that are not strings are left out
     */
    traceIds?: Array<unknown>;
  };
  path: {
    projectId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/diagnostics/analysis-runs';
};

export type CreateAnalysisRunsResponses = {
  /**
   * Accepted
   */
  202: {
    enabledRules: number;
    runsCreated: number;
  };
};

export type CreateAnalysisRunsResponse = CreateAnalysisRunsResponses[keyof CreateAnalysisRunsResponses];

export type GetAnalysisRunsData = {
  body?: never;
  path: {
    projectId: string;
    analysisId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/diagnostics/analysis-runs/{analysisId}';
};

export type GetAnalysisRunsResponses = {
  /**
   * OK
   */
  200: AnalysisRuns;
};

export type GetAnalysisRunsResponse = GetAnalysisRunsResponses[keyof GetAnalysisRunsResponses];

export type ListRuleBackfillsData = {
  body?: never;
  path: {
    projectId: string;
  };
  query?: {
    /**
     * One or more of scheduled, running, completed, cancelled, failed, with commas between them
     */
    state?: string;
    ruleId?: string;
    limit?: number;
    cursor?: string;
  };
  url: '/v1/projects/{projectId}/diagnostics/backfill-requests';
};

export type ListRuleBackfillsResponses = {
  /**
   * OK
   */
  200: {
    backfills: Array<RuleBackfill>;
    nextCursor: string | null;
  };
};

export type ListRuleBackfillsResponse = ListRuleBackfillsResponses[keyof ListRuleBackfillsResponses];

export type CancelRuleBackfillData = {
  body?: never;
  path: {
    projectId: string;
    backfillId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/diagnostics/backfill-requests/{backfillId}/cancel';
};

export type CancelRuleBackfillResponses = {
  /**
   * OK
   */
  200: RuleBackfill;
};

export type CancelRuleBackfillResponse = CancelRuleBackfillResponses[keyof CancelRuleBackfillResponses];

export type ListConnectorsData = {
  body?: never;
  path: {
    projectId: string;
  };
  query?: {
    limit?: number;
    cursor?: string;
  };
  url: '/v1/projects/{projectId}/diagnostics/connectors';
};

export type ListConnectorsResponses = {
  /**
   * OK
   */
  200: {
    connectors: Array<Connector>;
    nextCursor: string | null;
  };
};

export type ListConnectorsResponse = ListConnectorsResponses[keyof ListConnectorsResponses];

export type CreateConnectorData = {
  body:
    | {
        provider: 'github' | 'provider_1';
        /**
         * Of a self-hosted server, without the path of its API (`/api/v3`, `/api/v4`)
         */
        baseUrl?: string;
        credentials: {
          token: string;
        };
        defaultDestination?: {
          owner: string;
          repo: string;
        };
        name?: string;
        /**
         * The secret that the provider signs its webhooks with, or sends with them
         */
        webhookSecret?: string;
        /**
         * By default, the first connector for a provider is its default. True takes over from another one
         */
        isDefault?: boolean;
        enabled?: boolean;
      }
    | {
        provider: 'gitlab' | 'provider_2';
        /**
         * Of a self-hosted server, without the path of its API (`/api/v3`, `/api/v4`)
         */
        baseUrl?: string;
        credentials: {
          token: string;
        };
        defaultDestination?: {
          projectId: number | string;
        };
        name?: string;
        /**
         * The secret that the provider signs its webhooks with, or sends with them
         */
        webhookSecret?: string;
        /**
         * By default, the first connector for a provider is its default. True takes over from another one
         */
        isDefault?: boolean;
        enabled?: boolean;
      }
    | {
        provider: 'jira' | 'provider_3';
        /**
         * Address of the site: `https://<site>.atlassian.net`
         */
        baseUrl: string;
        credentials: {
          email: string;
          token: string;
        };
        defaultDestination?: {
          projectKey: string;
          /**
           * Id or name of the type; Bug, else Task, else the first that is no subtask
           */
          issueType?: string;
        };
        name?: string;
        /**
         * The secret that the provider signs its webhooks with, or sends with them
         */
        webhookSecret?: string;
        /**
         * By default, the first connector for a provider is its default. True takes over from another one
         */
        isDefault?: boolean;
        enabled?: boolean;
      }
    | {
        provider: 'linear' | 'provider_4';
        /**
         * Of a self-hosted server, without the path of its API (`/api/v3`, `/api/v4`)
         */
        baseUrl?: string;
        credentials: {
          token: string;
        };
        defaultDestination?: {
          teamId: string;
        };
        name?: string;
        /**
         * The secret that the provider signs its webhooks with, or sends with them
         */
        webhookSecret?: string;
        /**
         * By default, the first connector for a provider is its default. True takes over from another one
         */
        isDefault?: boolean;
        enabled?: boolean;
      };
  path: {
    projectId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/diagnostics/connectors';
};

export type CreateConnectorResponses = {
  /**
   * Created
   */
  201: Connector;
};

export type CreateConnectorResponse = CreateConnectorResponses[keyof CreateConnectorResponses];

export type DeleteConnectorData = {
  body?: never;
  path: {
    projectId: string;
    connectorId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/diagnostics/connectors/{connectorId}';
};

export type DeleteConnectorResponses = {
  /**
   * No Content
   */
  204: void;
};

export type DeleteConnectorResponse = DeleteConnectorResponses[keyof DeleteConnectorResponses];

export type GetConnectorData = {
  body?: never;
  path: {
    projectId: string;
    connectorId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/diagnostics/connectors/{connectorId}';
};

export type GetConnectorResponses = {
  /**
   * OK
   */
  200: Connector;
};

export type GetConnectorResponse = GetConnectorResponses[keyof GetConnectorResponses];

export type UpdateConnectorData = {
  body: {
    name?: string | null;
    /**
     * Null for the provider's own address
     */
    baseUrl?: string | null;
    /**
     * Replaces the credentials; needed again where the address leads to another host
     */
    credentials?:
      | {
          token: string;
        }
      | {
          email: string;
          token: string;
        };
    defaultDestination?:
      | {
          owner: string;
          repo: string;
        }
      | {
          projectId: number | string;
        }
      | {
          projectKey: string;
          /**
           * Id or name of the type; Bug, else Task, else the first that is no subtask
           */
          issueType?: string;
        }
      | {
          teamId: string;
        }
      | null;
    /**
     * The former secret is valid for another hour. Null removes both at once
     */
    webhookSecret?: string | null;
    isDefault?: boolean;
    enabled?: boolean;
  };
  path: {
    projectId: string;
    connectorId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/diagnostics/connectors/{connectorId}';
};

export type UpdateConnectorResponses = {
  /**
   * OK
   */
  200: Connector;
};

export type UpdateConnectorResponse = UpdateConnectorResponses[keyof UpdateConnectorResponses];

export type TestConnectorData = {
  body?: never;
  path: {
    projectId: string;
    connectorId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/diagnostics/connectors/{connectorId}/test';
};

export type TestConnectorResponses = {
  /**
   * OK
   */
  200: ConnectorTest;
};

export type TestConnectorResponse = TestConnectorResponses[keyof TestConnectorResponses];

export type GetConversationDiagnosisData = {
  body?: never;
  path: {
    projectId: string;
    conversationId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/diagnostics/conversations/{conversationId}';
};

export type GetConversationDiagnosisResponses = {
  /**
   * OK
   */
  200: ConversationDiagnosis;
};

export type GetConversationDiagnosisResponse =
  GetConversationDiagnosisResponses[keyof GetConversationDiagnosisResponses];

export type ListExpectationsData = {
  body?: never;
  path: {
    projectId: string;
  };
  query?: {
    status?: 'active' | 'proposed' | 'off';
    limit?: number;
    cursor?: string;
  };
  url: '/v1/projects/{projectId}/diagnostics/expectations';
};

export type ListExpectationsResponses = {
  /**
   * OK
   */
  200: {
    expectations: Array<Expectation>;
    nextCursor: string | null;
  };
};

export type ListExpectationsResponse = ListExpectationsResponses[keyof ListExpectationsResponses];

export type CreateExpectationData = {
  body: {
    /**
     * What is expected, in words
     */
    statement: string;
    severity?: 'critical' | 'high' | 'medium' | 'low' | 'info';
    /**
     * active: it is checked. proposed: it waits for a person. off: it is not checked, and nothing switches it on
     */
    status?: 'active' | 'proposed' | 'off';
    check: ExpectationCheck;
  };
  path: {
    projectId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/diagnostics/expectations';
};

export type CreateExpectationResponses = {
  /**
   * Created
   */
  201: Expectation;
};

export type CreateExpectationResponse = CreateExpectationResponses[keyof CreateExpectationResponses];

export type DeleteExpectationData = {
  body?: never;
  path: {
    projectId: string;
    expectationId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/diagnostics/expectations/{expectationId}';
};

export type DeleteExpectationResponses = {
  /**
   * Accepted
   */
  202: {
    id: string;
    status: 'deleting';
  };
  /**
   * No Content
   */
  204: void;
};

export type DeleteExpectationResponse = DeleteExpectationResponses[keyof DeleteExpectationResponses];

export type GetExpectationData = {
  body?: never;
  path: {
    projectId: string;
    expectationId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/diagnostics/expectations/{expectationId}';
};

export type GetExpectationResponses = {
  /**
   * OK
   */
  200: Expectation;
};

export type GetExpectationResponse = GetExpectationResponses[keyof GetExpectationResponses];

export type UpdateExpectationData = {
  body: {
    /**
     * What is expected, in words
     */
    statement?: string;
    severity?: 'critical' | 'high' | 'medium' | 'low' | 'info';
    /**
     * active: it is checked. proposed: it waits for a person. off: it is not checked, and nothing switches it on
     */
    status?: 'active' | 'proposed' | 'off';
    /**
     * Replaces the whole check
     */
    check?: ExpectationCheck;
  };
  path: {
    projectId: string;
    expectationId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/diagnostics/expectations/{expectationId}';
};

export type UpdateExpectationResponses = {
  /**
   * OK
   */
  200: Expectation;
};

export type UpdateExpectationResponse = UpdateExpectationResponses[keyof UpdateExpectationResponses];

export type CheckExpectationData = {
  body?: never;
  path: {
    projectId: string;
    expectationId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/diagnostics/expectations/{expectationId}/check';
};

export type CheckExpectationResponses = {
  /**
   * OK
   */
  200: ExpectationDryRun;
};

export type CheckExpectationResponse = CheckExpectationResponses[keyof CheckExpectationResponses];

export type GetFailureRateData = {
  body?: never;
  path: {
    projectId: string;
  };
  query: {
    /**
     * Inclusive
     */
    startMs: number;
    /**
     * Exclusive
     */
    endMs: number;
    /**
     * Only conversations in which it speaks
     */
    agent?: string;
  };
  url: '/v1/projects/{projectId}/diagnostics/failure-rate';
};

export type GetFailureRateResponses = {
  /**
   * OK
   */
  200: FailureRate;
};

export type GetFailureRateResponse = GetFailureRateResponses[keyof GetFailureRateResponses];

export type ListFindingsData = {
  body?: never;
  path: {
    projectId: string;
  };
  query?: {
    /**
     * One or more of unreviewed, confirmed, dismissed, with commas between them
     */
    reviewStatus?: string;
    /**
     * One or more of unresolved, awaiting_verification, resolved, regressed, with commas between them
     */
    resolutionStatus?: string;
    /**
     * One or more of critical, high, medium, low, info, with commas between them
     */
    severity?: string;
    minDiagnosticScore?: number;
    /**
     * Inclusive
     */
    lastDetectedAfter?: number;
    /**
     * Exclusive
     */
    lastDetectedBefore?: number;
    /**
     * Up to 10, with commas between them
     */
    ruleId?: string;
    /**
     * Up to 10, with commas between them
     */
    categoryKey?: string;
    /**
     * `me` for the caller, `none` for Findings that nobody looks after, or who looks after them
     */
    assignee?: string;
    /**
     * Words of the title in any order and case; the last one may be the beginning of a word
     */
    q?: string;
    /**
     * A conversation that shows it
     */
    conversationId?: string;
    /**
     * The agent that must speak for it to occur
     */
    agent?: string;
    snoozed?: boolean;
    /**
     * `active`: one that is not done
     */
    workItem?: 'none' | 'active' | 'done';
    /**
     * `lastDetectedAt` by default; the highest first
     */
    sort?: 'lastDetectedAt' | 'diagnosticScore' | 'occurrenceCount' | 'firstDetectedAt';
    limit?: number;
    cursor?: string;
  };
  url: '/v1/projects/{projectId}/diagnostics/findings';
};

export type ListFindingsResponses = {
  /**
   * OK
   */
  200: {
    findings: Array<Finding>;
    pagination: {
      limit: number;
      nextCursor: string | null;
    };
  };
};

export type ListFindingsResponse = ListFindingsResponses[keyof ListFindingsResponses];

export type GetFindingData = {
  body?: never;
  path: {
    projectId: string;
    findingId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/diagnostics/findings/{findingId}';
};

export type GetFindingResponses = {
  /**
   * OK
   */
  200: Finding;
};

export type GetFindingResponse = GetFindingResponses[keyof GetFindingResponses];

export type UpdateFindingData = {
  body: FindingStatusChange;
  path: {
    projectId: string;
    findingId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/diagnostics/findings/{findingId}';
};

export type UpdateFindingResponses = {
  /**
   * OK
   */
  200: Finding;
};

export type UpdateFindingResponse = UpdateFindingResponses[keyof UpdateFindingResponses];

export type ListFindingActivityData = {
  body?: never;
  path: {
    projectId: string;
    findingId: string;
  };
  query?: {
    limit?: number;
    cursor?: string;
  };
  url: '/v1/projects/{projectId}/diagnostics/findings/{findingId}/activity';
};

export type ListFindingActivityResponses = {
  /**
   * OK
   */
  200: {
    activity: Array<FindingActivity>;
    nextCursor: string | null;
  };
};

export type ListFindingActivityResponse = ListFindingActivityResponses[keyof ListFindingActivityResponses];

export type GetFindingActivityData = {
  body?: never;
  path: {
    projectId: string;
    findingId: string;
    activityId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/diagnostics/findings/{findingId}/activity/{activityId}';
};

export type GetFindingActivityResponses = {
  /**
   * OK
   */
  200: FindingActivity;
};

export type GetFindingActivityResponse = GetFindingActivityResponses[keyof GetFindingActivityResponses];

export type AssignFindingData = {
  body: {
    assignee: string | null;
  };
  path: {
    projectId: string;
    findingId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/diagnostics/findings/{findingId}/assignee';
};

export type AssignFindingResponses = {
  /**
   * OK
   */
  200: Finding;
};

export type AssignFindingResponse = AssignFindingResponses[keyof AssignFindingResponses];

export type CommentOnFindingData = {
  body: {
    text: string;
  };
  path: {
    projectId: string;
    findingId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/diagnostics/findings/{findingId}/comments';
};

export type CommentOnFindingResponses = {
  /**
   * Created
   */
  201: FindingActivity;
};

export type CommentOnFindingResponse = CommentOnFindingResponses[keyof CommentOnFindingResponses];

export type MergeFindingData = {
  body: {
    into: string;
  };
  path: {
    projectId: string;
    findingId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/diagnostics/findings/{findingId}/merge';
};

export type MergeFindingResponses = {
  /**
   * OK
   */
  200: Finding;
};

export type MergeFindingResponse = MergeFindingResponses[keyof MergeFindingResponses];

export type CountFindingOccurrencesData = {
  body?: never;
  path: {
    projectId: string;
    findingId: string;
  };
  query: {
    startMs: number;
    /**
     * Exclusive
     */
    endMs: number;
    intervalMs: number;
  };
  url: '/v1/projects/{projectId}/diagnostics/findings/{findingId}/occurrence-counts';
};

export type CountFindingOccurrencesResponses = {
  /**
   * OK
   */
  200: {
    counts: Array<{
      /**
       * Unix epoch milliseconds
       */
      startMs: number;
      occurrences: number;
    }>;
  };
};

export type CountFindingOccurrencesResponse = CountFindingOccurrencesResponses[keyof CountFindingOccurrencesResponses];

export type ListFindingOccurrencesData = {
  body?: never;
  path: {
    projectId: string;
    findingId: string;
  };
  query?: {
    limit?: number;
    cursor?: string;
  };
  url: '/v1/projects/{projectId}/diagnostics/findings/{findingId}/occurrences';
};

export type ListFindingOccurrencesResponses = {
  /**
   * OK
   */
  200: {
    occurrences: Array<FindingOccurrence>;
    nextCursor: string | null;
  };
};

export type ListFindingOccurrencesResponse = ListFindingOccurrencesResponses[keyof ListFindingOccurrencesResponses];

export type SnoozeFindingData = {
  body: {
    snooze: NewSnooze | null;
  };
  path: {
    projectId: string;
    findingId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/diagnostics/findings/{findingId}/snooze';
};

export type SnoozeFindingResponses = {
  /**
   * OK
   */
  200: Finding;
};

export type SnoozeFindingResponse = SnoozeFindingResponses[keyof SnoozeFindingResponses];

export type SplitFindingData = {
  body: SplitCondition;
  path: {
    projectId: string;
    findingId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/diagnostics/findings/{findingId}/split';
};

export type SplitFindingResponses = {
  /**
   * Created
   */
  201: Finding;
};

export type SplitFindingResponse = SplitFindingResponses[keyof SplitFindingResponses];

export type UnmergeFindingData = {
  body?: never;
  path: {
    projectId: string;
    findingId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/diagnostics/findings/{findingId}/unmerge';
};

export type UnmergeFindingResponses = {
  /**
   * OK
   */
  200: Finding;
};

export type UnmergeFindingResponse = UnmergeFindingResponses[keyof UnmergeFindingResponses];

export type ListWorkItemsData = {
  body?: never;
  path: {
    projectId: string;
    findingId: string;
  };
  query?: {
    limit?: number;
    cursor?: string;
  };
  url: '/v1/projects/{projectId}/diagnostics/findings/{findingId}/work-items';
};

export type ListWorkItemsResponses = {
  /**
   * OK
   */
  200: {
    workItems: Array<WorkItem>;
    nextCursor: string | null;
  };
};

export type ListWorkItemsResponse = ListWorkItemsResponses[keyof ListWorkItemsResponses];

export type CreateWorkItemData = {
  body: NewWorkItem;
  path: {
    projectId: string;
    findingId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/diagnostics/findings/{findingId}/work-items';
};

export type CreateWorkItemResponses = {
  /**
   * Created
   */
  201: WorkItem;
};

export type CreateWorkItemResponse = CreateWorkItemResponses[keyof CreateWorkItemResponses];

export type GetWorkItemData = {
  body?: never;
  path: {
    projectId: string;
    findingId: string;
    workItemId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/diagnostics/findings/{findingId}/work-items/{workItemId}';
};

export type GetWorkItemResponses = {
  /**
   * OK
   */
  200: WorkItem;
};

export type GetWorkItemResponse = GetWorkItemResponses[keyof GetWorkItemResponses];

export type AbandonWorkItemData = {
  body?: never;
  path: {
    projectId: string;
    findingId: string;
    workItemId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/diagnostics/findings/{findingId}/work-items/{workItemId}/abandon';
};

export type AbandonWorkItemResponses = {
  /**
   * OK
   */
  200: WorkItem;
};

export type AbandonWorkItemResponse = AbandonWorkItemResponses[keyof AbandonWorkItemResponses];

export type ReplaceWorkItemData = {
  body: NewWorkItem;
  path: {
    projectId: string;
    findingId: string;
    workItemId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/diagnostics/findings/{findingId}/work-items/{workItemId}/replacements';
};

export type ReplaceWorkItemResponses = {
  /**
   * Created
   */
  201: WorkItem;
};

export type ReplaceWorkItemResponse = ReplaceWorkItemResponses[keyof ReplaceWorkItemResponses];

export type RetryWorkItemData = {
  body?: never;
  path: {
    projectId: string;
    findingId: string;
    workItemId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/diagnostics/findings/{findingId}/work-items/{workItemId}/retry';
};

export type RetryWorkItemResponses = {
  /**
   * OK
   */
  200: WorkItem;
};

export type RetryWorkItemResponse = RetryWorkItemResponses[keyof RetryWorkItemResponses];

export type SyncWorkItemData = {
  body?: never;
  path: {
    projectId: string;
    findingId: string;
    workItemId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/diagnostics/findings/{findingId}/work-items/{workItemId}/sync';
};

export type SyncWorkItemResponses = {
  /**
   * OK
   */
  200: {
    outcome: 'updated' | 'unchanged' | 'failed' | 'not_syncable' | 'not_current';
    finding: Finding;
  };
};

export type SyncWorkItemResponse = SyncWorkItemResponses[keyof SyncWorkItemResponses];

export type UpdateFindingsData = {
  body: {
    findingIds: Array<string>;
    change: FindingChange;
  };
  path: {
    projectId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/diagnostics/findings/bulk-updates';
};

export type UpdateFindingsResponses = {
  /**
   * OK
   */
  200: {
    results: Array<{
      findingId: string;
      outcome: 'updated' | 'unchanged' | 'refused';
      /**
       * Why it was refused
       */
      error?: {
        /**
         * The reason phrase of the status
         */
        error: string;
        message: string;
        code?: string;
        /**
         * What is wrong with which field. With FORBIDDEN, one entry for each right that would do: its kind (`scope` or `permission`) in `path`, its name in `message`.
         */
        details?: Array<{
          path: string;
          message: string;
        }>;
        /**
         * With QUOTA_EXCEEDED
         */
        quota?: QuotaRefusal;
      };
    }>;
  };
};

export type UpdateFindingsResponse = UpdateFindingsResponses[keyof UpdateFindingsResponses];

export type CountFindingsData = {
  body?: never;
  path: {
    projectId: string;
  };
  query?: {
    /**
     * One or more of severity, reviewStatus, resolutionStatus, ruleId, categoryKey, assignee, agent, snoozed, workItem, with commas between them
     */
    by?: string;
    /**
     * One or more of unreviewed, confirmed, dismissed, with commas between them
     */
    reviewStatus?: string;
    /**
     * One or more of unresolved, awaiting_verification, resolved, regressed, with commas between them
     */
    resolutionStatus?: string;
    /**
     * One or more of critical, high, medium, low, info, with commas between them
     */
    severity?: string;
    minDiagnosticScore?: number;
    /**
     * Inclusive
     */
    lastDetectedAfter?: number;
    /**
     * Exclusive
     */
    lastDetectedBefore?: number;
    /**
     * Up to 10, with commas between them
     */
    ruleId?: string;
    /**
     * Up to 10, with commas between them
     */
    categoryKey?: string;
    /**
     * `me` for the caller, `none` for Findings that nobody looks after, or who looks after them
     */
    assignee?: string;
    /**
     * Words of the title in any order and case; the last one may be the beginning of a word
     */
    q?: string;
    /**
     * A conversation that shows it
     */
    conversationId?: string;
    /**
     * The agent that must speak for it to occur
     */
    agent?: string;
    snoozed?: boolean;
    /**
     * `active`: one that is not done
     */
    workItem?: 'none' | 'active' | 'done';
  };
  url: '/v1/projects/{projectId}/diagnostics/findings/counts';
};

export type CountFindingsResponses = {
  /**
   * OK
   */
  200: FindingCounts;
};

export type CountFindingsResponse = CountFindingsResponses[keyof CountFindingsResponses];

export type DiscoverFindingsData = {
  body?: {
    conversationId?: string;
  };
  path: {
    projectId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/diagnostics/findings/discover';
};

export type DiscoverFindingsResponses = {
  /**
   * OK
   */
  200: Discovery;
};

export type DiscoverFindingsResponse = DiscoverFindingsResponses[keyof DiscoverFindingsResponses];

export type ReadFindingSeriesData = {
  body?: never;
  path: {
    projectId: string;
  };
  query: {
    /**
     * A whole hour
     */
    startMs: number;
    /**
     * Exclusive, a whole hour
     */
    endMs: number;
    /**
     * Whole hours
     */
    intervalMs: number;
    by?: 'severity' | 'ruleId' | 'categoryKey';
  };
  url: '/v1/projects/{projectId}/diagnostics/findings/series';
};

export type ReadFindingSeriesResponses = {
  /**
   * OK
   */
  200: {
    series: Array<{
      /**
       * Unix epoch milliseconds
       */
      startMs: number;
      /**
       * Of the field of `by`
       */
      value?: string;
      occurrences: number;
    }>;
  };
};

export type ReadFindingSeriesResponse = ReadFindingSeriesResponses[keyof ReadFindingSeriesResponses];

export type ListReviewDaysData = {
  body?: never;
  path: {
    projectId: string;
  };
  query?: {
    limit?: number;
    cursor?: string;
  };
  url: '/v1/projects/{projectId}/diagnostics/review-days';
};

export type ListReviewDaysResponses = {
  /**
   * OK
   */
  200: {
    days: Array<ReviewDay>;
    nextCursor: string | null;
  };
};

export type ListReviewDaysResponse = ListReviewDaysResponses[keyof ListReviewDaysResponses];

export type ListReviewsData = {
  body?: never;
  path: {
    projectId: string;
  };
  query?: {
    limit?: number;
    cursor?: string;
  };
  url: '/v1/projects/{projectId}/diagnostics/reviews';
};

export type ListReviewsResponses = {
  /**
   * OK
   */
  200: {
    reviews: Array<Review>;
    nextCursor: string | null;
    /**
     * Why the next review of the project was not asked for yet
     */
    waiting?: Waiting;
  };
};

export type ListReviewsResponse = ListReviewsResponses[keyof ListReviewsResponses];

export type ListRulesData = {
  body?: never;
  path: {
    projectId: string;
  };
  query?: {
    limit?: number;
    cursor?: string;
  };
  url: '/v1/projects/{projectId}/diagnostics/rules';
};

export type ListRulesResponses = {
  /**
   * OK
   */
  200: {
    rules: Array<Rule>;
    nextCursor: string | null;
  };
};

export type ListRulesResponse = ListRulesResponses[keyof ListRulesResponses];

export type GetRuleData = {
  body?: never;
  path: {
    projectId: string;
    ruleId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/diagnostics/rules/{ruleId}';
};

export type GetRuleResponses = {
  /**
   * OK
   */
  200: Rule;
};

export type GetRuleResponse = GetRuleResponses[keyof GetRuleResponses];

export type UpdateRuleData = {
  body: {
    enabled?: boolean;
    configuration?: {
      keywords?: Array<string>;
      minSignalScore?: number;
      minDiagnosticConfidence?: number;
      adjudicationMode?: 'auto' | 'deterministic-only';
      adjudicationModel?: string | null;
      /**
       * By signal, what is absent stays; null removes the override
       */
      signalOverrides?: {
        [key: string]: {
          enabled?: boolean;
          severity?: 'critical' | 'high' | 'medium' | 'low' | 'info';
        } | null;
      };
    };
  };
  path: {
    projectId: string;
    ruleId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/diagnostics/rules/{ruleId}';
};

export type UpdateRuleResponses = {
  /**
   * OK
   */
  200: Rule;
};

export type UpdateRuleResponse = UpdateRuleResponses[keyof UpdateRuleResponses];

export type CreateRuleBackfillData = {
  /**
   * Conversations whose last activity is in the window, both ends inclusive, the oldest first
   */
  body: {
    /**
     * Unix epoch milliseconds
     */
    startMs: number;
    /**
     * Unix epoch milliseconds
     */
    endMs: number;
    maxConversations?: number;
  };
  path: {
    projectId: string;
    ruleId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/diagnostics/rules/{ruleId}/backfill-requests';
};

export type CreateRuleBackfillResponses = {
  /**
   * Accepted
   */
  202: RequestedRuleBackfill;
};

export type CreateRuleBackfillResponse = CreateRuleBackfillResponses[keyof CreateRuleBackfillResponses];

export type GetRuleBackfillData = {
  body?: never;
  path: {
    projectId: string;
    ruleId: string;
    backfillId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/diagnostics/rules/{ruleId}/backfill-requests/{backfillId}';
};

export type GetRuleBackfillResponses = {
  /**
   * OK
   */
  200: RuleBackfill;
};

export type GetRuleBackfillResponse = GetRuleBackfillResponses[keyof GetRuleBackfillResponses];

export type GetScoreCalibrationData = {
  body?: never;
  path: {
    projectId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/diagnostics/score-calibration';
};

export type GetScoreCalibrationResponses = {
  /**
   * OK
   */
  200: ScoreCalibration;
};

export type GetScoreCalibrationResponse = GetScoreCalibrationResponses[keyof GetScoreCalibrationResponses];

export type GetDiagnosticSettingsData = {
  body?: never;
  path: {
    projectId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/diagnostics/settings';
};

export type GetDiagnosticSettingsResponses = {
  /**
   * OK
   */
  200: {
    settings: DiagnosticSettings;
  };
};

export type GetDiagnosticSettingsResponse = GetDiagnosticSettingsResponses[keyof GetDiagnosticSettingsResponses];

export type UpdateDiagnosticSettingsData = {
  body: {
    automaticSchedulingEnabled?: boolean;
    /**
     * grammar: what the grammar compiles from a prompt is active. manual: it is proposed, and waits for a person
     */
    expectationActivation?: 'grammar' | 'manual';
    /**
     * Calls of models a day (UTC) that may be made to confirm or refute what Rules found; what is left waits
     */
    dailyAdjudications?: number;
    /**
     * sampled: half of the daily reviews go to bad scores, half are drawn at random. null: sampled where `reviewModel` or the `adjudicationModel` of a Rule is set, or where a local model passes the judgement test, else off
     */
    reviewMode?: 'off' | 'sampled' | 'all' | null;
    /**
     * null: the `adjudicationModel` of a Rule, else a local model that passes the judgement test
     */
    reviewModel?: string | null;
    /**
     * Conversations a day (UTC) that a model may read; what is left waits. A comparison of new kinds of problems, by which those told in other words become one Finding, takes the place of one
     */
    dailyReviews?: number;
    /**
     * Clean conversations that verify a repair: they started after it, could have shown the problem, and did not. With 95% confidence, it then occurs in at most this share of such conversations: 63% after 3, 26% after 10, 14% after 20, 3% after 100. It holds for repairs that are noticed from now on
     */
    requiredExposures?: number;
    /**
     * Whether the issue of a Finding is reopened at its provider when the problem occurs again after its repair
     */
    reopenOnRegression?: boolean;
  };
  path: {
    projectId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/diagnostics/settings';
};

export type UpdateDiagnosticSettingsResponses = {
  /**
   * OK
   */
  200: {
    settings: DiagnosticSettings;
  };
};

export type UpdateDiagnosticSettingsResponse =
  UpdateDiagnosticSettingsResponses[keyof UpdateDiagnosticSettingsResponses];

export type ListProjectWorkItemsData = {
  body?: never;
  path: {
    projectId: string;
  };
  query?: {
    status?: 'provisioning' | 'planned' | 'in_progress' | 'done';
    /**
     * `provider_1` to `provider_4` stand for github, gitlab, jira and linear
     */
    provider?: 'github' | 'gitlab' | 'jira' | 'linear' | 'provider_1' | 'provider_2' | 'provider_3' | 'provider_4';
    syncState?: 'pending' | 'synced' | 'error';
    limit?: number;
    cursor?: string;
  };
  url: '/v1/projects/{projectId}/diagnostics/work-items';
};

export type ListProjectWorkItemsResponses = {
  /**
   * OK
   */
  200: {
    workItems: Array<WorkItem>;
    nextCursor: string | null;
  };
};

export type ListProjectWorkItemsResponse = ListProjectWorkItemsResponses[keyof ListProjectWorkItemsResponses];

export type ListErasuresData = {
  body?: never;
  path: {
    projectId: string;
  };
  query?: {
    status?: 'running' | 'completed';
    limit?: number;
    cursor?: string;
  };
  url: '/v1/projects/{projectId}/erasures';
};

export type ListErasuresResponses = {
  /**
   * OK
   */
  200: {
    erasures: Array<Erasure>;
    nextCursor: string | null;
  };
};

export type ListErasuresResponse = ListErasuresResponses[keyof ListErasuresResponses];

export type GetErasureData = {
  body?: never;
  path: {
    projectId: string;
    erasureId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/erasures/{erasureId}';
};

export type GetErasureResponses = {
  /**
   * OK
   */
  200: Erasure;
};

export type GetErasureResponse = GetErasureResponses[keyof GetErasureResponses];

export type ListenToChangesData = {
  body?: never;
  path: {
    projectId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/events';
};

export type ListenToChangesResponses = {
  /**
   * OK
   */
  200: unknown;
};

export type ListProjectBackfillsData = {
  body?: never;
  path: {
    projectId: string;
  };
  query?: {
    state?: 'scheduled' | 'running' | 'completed' | 'failed' | 'cancelled';
    limit?: number;
    cursor?: string;
  };
  url: '/v1/projects/{projectId}/knowledge/backfills';
};

export type ListProjectBackfillsResponses = {
  /**
   * OK
   */
  200: {
    backfills: Array<KnowledgeBackfill>;
    nextCursor: string | null;
  };
};

export type ListProjectBackfillsResponse = ListProjectBackfillsResponses[keyof ListProjectBackfillsResponses];

export type RecallKnowledgeData = {
  body: {
    q: string;
    goalId?: string;
    /**
     * Name of whom or what it is about, or a user id
     */
    subject?: string;
    /**
     * What was held true then, superseded items included
     */
    asOf?: number;
    maxTokens?: number;
  };
  path: {
    projectId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/knowledge/context';
};

export type RecallKnowledgeResponses = {
  /**
   * OK
   */
  200: {
    /**
     * Items with their quotes under the line "Knowledge recalled from Clew"
     */
    text: string;
    /**
     * Estimated tokens of the text
     */
    tokens: number;
    items: Array<{
      itemId: string;
      revision: number;
      goalId: string;
      title: string;
    }>;
    lookedAt: KnowledgeLookedAt;
  };
};

export type RecallKnowledgeResponse = RecallKnowledgeResponses[keyof RecallKnowledgeResponses];

export type ExportItemsData = {
  body?: never;
  path: {
    projectId: string;
  };
  query?: {
    goalId?: string;
    /**
     * Without it, all but superseded items; `archived` lists those too
     */
    status?: 'active' | 'archived';
    /**
     * The name of whom or what it is about, or a user id
     */
    subject?: string;
  };
  url: '/v1/projects/{projectId}/knowledge/export';
};

export type ExportItemsResponses = {
  /**
   * OK
   */
  200: unknown;
};

export type ListGoalsData = {
  body?: never;
  path: {
    projectId: string;
  };
  query?: {
    status?: 'active' | 'paused' | 'archived';
    /**
     * Changed then or later, oldest change first
     */
    updatedAfter?: number;
    limit?: number;
    cursor?: string;
  };
  url: '/v1/projects/{projectId}/knowledge/goals';
};

export type ListGoalsResponses = {
  /**
   * OK
   */
  200: {
    goals: Array<LearningGoal>;
    nextCursor: string | null;
  };
};

export type ListGoalsResponse = ListGoalsResponses[keyof ListGoalsResponses];

export type CreateGoalData = {
  body: {
    name: string;
    instruction: string;
    model?: string;
    sources?: {
      systemPrompt: boolean;
    };
  };
  path: {
    projectId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/knowledge/goals';
};

export type CreateGoalResponses = {
  /**
   * Created
   */
  201: LearningGoal;
};

export type CreateGoalResponse = CreateGoalResponses[keyof CreateGoalResponses];

export type GetGoalData = {
  body?: never;
  path: {
    projectId: string;
    goalId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/knowledge/goals/{goalId}';
};

export type GetGoalResponses = {
  /**
   * OK
   */
  200: LearningGoal;
};

export type GetGoalResponse = GetGoalResponses[keyof GetGoalResponses];

export type UpdateGoalData = {
  body: {
    name?: string;
    instruction?: string;
    model?: string;
    sources?: {
      systemPrompt: boolean;
    };
    status?: 'active' | 'paused' | 'archived';
  };
  path: {
    projectId: string;
    goalId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/knowledge/goals/{goalId}';
};

export type UpdateGoalResponses = {
  /**
   * OK
   */
  200: LearningGoal;
};

export type UpdateGoalResponse = UpdateGoalResponses[keyof UpdateGoalResponses];

export type ListKnowledgeBackfillsData = {
  body?: never;
  path: {
    projectId: string;
    goalId: string;
  };
  query?: {
    limit?: number;
    cursor?: string;
  };
  url: '/v1/projects/{projectId}/knowledge/goals/{goalId}/backfills';
};

export type ListKnowledgeBackfillsResponses = {
  /**
   * OK
   */
  200: {
    backfills: Array<KnowledgeBackfill>;
    nextCursor: string | null;
  };
};

export type ListKnowledgeBackfillsResponse = ListKnowledgeBackfillsResponses[keyof ListKnowledgeBackfillsResponses];

export type CreateKnowledgeBackfillData = {
  /**
   * Ready conversations whose last activity is in the window, both ends inclusive
   */
  body: {
    /**
     * Unix epoch milliseconds
     */
    startMs: number;
    /**
     * Unix epoch milliseconds
     */
    endMs: number;
    maxConversations?: number;
  };
  path: {
    projectId: string;
    goalId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/knowledge/goals/{goalId}/backfills';
};

export type CreateKnowledgeBackfillResponses = {
  /**
   * Accepted
   */
  202: RequestedKnowledgeBackfill;
};

export type CreateKnowledgeBackfillResponse = CreateKnowledgeBackfillResponses[keyof CreateKnowledgeBackfillResponses];

export type GetKnowledgeBackfillData = {
  body?: never;
  path: {
    projectId: string;
    goalId: string;
    backfillId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/knowledge/goals/{goalId}/backfills/{backfillId}';
};

export type GetKnowledgeBackfillResponses = {
  /**
   * OK
   */
  200: KnowledgeBackfill;
};

export type GetKnowledgeBackfillResponse = GetKnowledgeBackfillResponses[keyof GetKnowledgeBackfillResponses];

export type CancelKnowledgeBackfillData = {
  body?: never;
  path: {
    projectId: string;
    goalId: string;
    backfillId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/knowledge/goals/{goalId}/backfills/{backfillId}/cancel';
};

export type CancelKnowledgeBackfillResponses = {
  /**
   * OK
   */
  200: KnowledgeBackfill;
};

export type CancelKnowledgeBackfillResponse = CancelKnowledgeBackfillResponses[keyof CancelKnowledgeBackfillResponses];

export type ListItemsData = {
  body?: never;
  path: {
    projectId: string;
  };
  query?: {
    goalId?: string;
    /**
     * Without it, all but superseded items; `archived` lists those too
     */
    status?: 'active' | 'archived';
    /**
     * The name of whom or what it is about, or a user id
     */
    subject?: string;
    /**
     * Whether a person, or a key, has reviewed it
     */
    reviewed?: boolean;
    kind?: 'fact' | 'preference' | 'procedure' | 'correction' | 'policy';
    /**
     * A trace that the item is backed by
     */
    sourceTraceId?: string;
    /**
     * A conversation that the item is backed by
     */
    sourceConversationId?: string;
    minConfidence?: number;
    /**
     * Inclusive
     */
    maxConfidence?: number;
    /**
     * Changed then or later, oldest change first
     */
    updatedAfter?: number;
    /**
     * What was held true then, superseded items included
     */
    asOf?: number;
    /**
     * Words that are all in the title or the content; where a model of the project embeds, also what means about the same
     */
    q?: string;
    limit?: number;
    cursor?: string;
  };
  url: '/v1/projects/{projectId}/knowledge/items';
};

export type ListItemsResponses = {
  /**
   * OK
   */
  200: {
    items: Array<KnowledgeItem>;
    nextCursor: string | null;
  };
};

export type ListItemsResponse = ListItemsResponses[keyof ListItemsResponses];

export type CreateItemData = {
  body: {
    goalId: string;
    title: string;
    content: string;
    kind: 'fact' | 'preference' | 'procedure' | 'correction' | 'policy';
    /**
     * The project, if left out
     */
    subject?: {
      kind: 'person' | 'organisation' | 'product' | 'project';
      name: string;
    };
    /**
     * Unix epoch milliseconds
     */
    validFrom?: number;
    /**
     * Unix epoch milliseconds
     */
    validUntil?: number;
    /**
     * Words of conversations that show it, exactly as they were said
     */
    evidence?: Array<{
      conversationId: string;
      messageIndex: number;
      quote: string;
    }>;
  };
  path: {
    projectId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/knowledge/items';
};

export type CreateItemResponses = {
  /**
   * Created
   */
  201: KnowledgeItem;
};

export type CreateItemResponse = CreateItemResponses[keyof CreateItemResponses];

export type GetItemData = {
  body?: never;
  path: {
    projectId: string;
    itemId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/knowledge/items/{itemId}';
};

export type GetItemResponses = {
  /**
   * OK
   */
  200: KnowledgeItem;
};

export type GetItemResponse = GetItemResponses[keyof GetItemResponses];

export type UpdateItemData = {
  body: {
    status?: 'active' | 'archived';
    title?: string;
    content?: string;
    kind?: 'fact' | 'preference' | 'procedure' | 'correction' | 'policy';
    subject?: {
      kind: 'person' | 'organisation' | 'product' | 'project';
      name: string;
    };
    validFrom?: number | null;
    validUntil?: number | null;
  };
  path: {
    projectId: string;
    itemId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/knowledge/items/{itemId}';
};

export type UpdateItemResponses = {
  /**
   * OK
   */
  200: KnowledgeItem;
};

export type UpdateItemResponse = UpdateItemResponses[keyof UpdateItemResponses];

export type ListItemRevisionsData = {
  body?: never;
  path: {
    projectId: string;
    itemId: string;
  };
  query?: {
    limit?: number;
    cursor?: string;
  };
  url: '/v1/projects/{projectId}/knowledge/items/{itemId}/revisions';
};

export type ListItemRevisionsResponses = {
  /**
   * OK
   */
  200: {
    revisions: Array<KnowledgeItemRevision>;
    nextCursor: string | null;
  };
};

export type ListItemRevisionsResponse = ListItemRevisionsResponses[keyof ListItemRevisionsResponses];

export type UndoItemData = {
  body?: never;
  path: {
    projectId: string;
    itemId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/knowledge/items/{itemId}/undo';
};

export type UndoItemResponses = {
  /**
   * OK
   */
  200: KnowledgeItem;
};

export type UndoItemResponse = UndoItemResponses[keyof UndoItemResponses];

export type UpdateItemsData = {
  body: {
    items: Array<{
      itemId: string;
      revision?: number;
    }>;
    change: {
      status?: 'active' | 'archived';
      kind?: 'fact' | 'preference' | 'procedure' | 'correction' | 'policy';
      subject?: {
        kind: 'person' | 'organisation' | 'product' | 'project';
        name: string;
      };
      validFrom?: number | null;
      validUntil?: number | null;
    };
  };
  path: {
    projectId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/knowledge/items/bulk-updates';
};

export type UpdateItemsResponses = {
  /**
   * OK
   */
  200: {
    results: Array<{
      itemId: string;
      outcome: 'updated' | 'unchanged' | 'refused';
      /**
       * Of the item as it is now
       */
      revision?: number;
      /**
       * Why it was refused
       */
      error?: {
        /**
         * The reason phrase of the status
         */
        error: string;
        message: string;
        code?: string;
        /**
         * What is wrong with which field. With FORBIDDEN, one entry for each right that would do: its kind (`scope` or `permission`) in `path`, its name in `message`.
         */
        details?: Array<{
          path: string;
          message: string;
        }>;
        /**
         * With QUOTA_EXCEEDED
         */
        quota?: QuotaRefusal;
      };
    }>;
  };
};

export type UpdateItemsResponse = UpdateItemsResponses[keyof UpdateItemsResponses];

export type CountItemsData = {
  body?: never;
  path: {
    projectId: string;
  };
  query?: {
    goalId?: string;
    /**
     * Without it, all but superseded items; `archived` lists those too
     */
    status?: 'active' | 'archived';
    /**
     * The name of whom or what it is about, or a user id
     */
    subject?: string;
    /**
     * Whether a person, or a key, has reviewed it
     */
    reviewed?: boolean;
    kind?: 'fact' | 'preference' | 'procedure' | 'correction' | 'policy';
    /**
     * A trace that the item is backed by
     */
    sourceTraceId?: string;
    /**
     * A conversation that the item is backed by
     */
    sourceConversationId?: string;
    minConfidence?: number;
    /**
     * Inclusive
     */
    maxConfidence?: number;
    /**
     * Words that are all in the title or the content
     */
    q?: string;
    /**
     * Fields by whose values they are counted too, separated by commas
     */
    by?: string;
  };
  url: '/v1/projects/{projectId}/knowledge/items/counts';
};

export type CountItemsResponses = {
  /**
   * OK
   */
  200: {
    total: Count;
    counts: {
      status?: Array<{
        count: number;
        /**
         * There are, or may be, more: it was counted no further
         */
        atLeast: boolean;
        value: string;
      }>;
      kind?: Array<{
        count: number;
        /**
         * There are, or may be, more: it was counted no further
         */
        atLeast: boolean;
        value: string;
      }>;
      reviewed?: Array<{
        count: number;
        /**
         * There are, or may be, more: it was counted no further
         */
        atLeast: boolean;
        value: string;
      }>;
    };
  };
};

export type CountItemsResponse = CountItemsResponses[keyof CountItemsResponses];

export type SearchKnowledgeData = {
  body?: never;
  path: {
    projectId: string;
  };
  query: {
    /**
     * A question, or some words
     */
    q: string;
    goalId?: string;
    /**
     * Name of whom or what it is about, or a user id
     */
    subject?: string;
    /**
     * What was held true then, superseded items included
     */
    asOf?: number;
    /**
     * How many at most
     */
    k?: number;
  };
  url: '/v1/projects/{projectId}/knowledge/search';
};

export type SearchKnowledgeResponses = {
  /**
   * OK
   */
  200: KnowledgeSearchResult;
};

export type SearchKnowledgeResponse = SearchKnowledgeResponses[keyof SearchKnowledgeResponses];

export type GetKnowledgeSettingsData = {
  body?: never;
  path: {
    projectId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/knowledge/settings';
};

export type GetKnowledgeSettingsResponses = {
  /**
   * OK
   */
  200: {
    settings: KnowledgeSettings;
  };
};

export type GetKnowledgeSettingsResponse = GetKnowledgeSettingsResponses[keyof GetKnowledgeSettingsResponses];

export type UpdateKnowledgeSettingsData = {
  body: KnowledgeSettings;
  path: {
    projectId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/knowledge/settings';
};

export type UpdateKnowledgeSettingsResponses = {
  /**
   * OK
   */
  200: {
    settings: KnowledgeSettings;
  };
};

export type UpdateKnowledgeSettingsResponse = UpdateKnowledgeSettingsResponses[keyof UpdateKnowledgeSettingsResponses];

export type EraseKnowledgeSubjectData = {
  body: {
    /**
     * Its name, or the user id of a person
     */
    subject: string;
  };
  path: {
    projectId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/knowledge/subject-erasures';
};

export type EraseKnowledgeSubjectResponses = {
  /**
   * OK
   */
  200: {
    removed: {
      items: number;
      revisions: number;
      replies: number;
    };
    /**
     * false: there are more, and the same call goes on
     */
    done: boolean;
  };
};

export type EraseKnowledgeSubjectResponse = EraseKnowledgeSubjectResponses[keyof EraseKnowledgeSubjectResponses];

export type ListMembersData = {
  body?: never;
  path: {
    projectId: string;
  };
  query?: {
    limit?: number;
    cursor?: string;
  };
  url: '/v1/projects/{projectId}/members';
};

export type ListMembersResponses = {
  /**
   * OK
   */
  200: {
    members: Array<Member>;
    nextCursor: string | null;
  };
};

export type ListMembersResponse = ListMembersResponses[keyof ListMembersResponses];

export type RemoveMemberData = {
  body?: never;
  path: {
    projectId: string;
    userId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/members/{userId}';
};

export type RemoveMemberResponses = {
  /**
   * No Content
   */
  204: void;
};

export type RemoveMemberResponse = RemoveMemberResponses[keyof RemoveMemberResponses];

export type SetMemberData = {
  body: {
    role: 'viewer' | 'editor' | 'admin';
  };
  path: {
    projectId: string;
    userId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/members/{userId}';
};

export type SetMemberResponses = {
  /**
   * OK
   */
  200: Member;
};

export type SetMemberResponse = SetMemberResponses[keyof SetMemberResponses];

export type GetModelData = {
  body?: never;
  path: {
    projectId: string;
    modelId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/models/{modelId}';
};

export type GetModelResponses = {
  /**
   * OK
   */
  200: ModelDetail;
};

export type GetModelResponse = GetModelResponses[keyof GetModelResponses];

export type GetHubDetailsData = {
  body?: never;
  path: {
    projectId: string;
    modelId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/models/{modelId}/hub-details';
};

export type GetHubDetailsResponses = {
  /**
   * OK
   */
  200: HubDetails;
};

export type GetHubDetailsResponse = GetHubDetailsResponses[keyof GetHubDetailsResponses];

export type RemoveModelProfileData = {
  body?: never;
  path: {
    projectId: string;
    modelId: string;
    profileId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/models/{modelId}/profiles/{profileId}';
};

export type RemoveModelProfileResponses = {
  /**
   * Accepted
   */
  202: ProfileRemoval;
  /**
   * No Content
   */
  204: void;
};

export type RemoveModelProfileResponse = RemoveModelProfileResponses[keyof RemoveModelProfileResponses];

export type GetModelProfileData = {
  body?: never;
  path: {
    projectId: string;
    modelId: string;
    profileId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/models/{modelId}/profiles/{profileId}';
};

export type GetModelProfileResponses = {
  /**
   * OK
   */
  200: ModelDetail;
};

export type GetModelProfileResponse = GetModelProfileResponses[keyof GetModelProfileResponses];

export type StartModelDownloadData = {
  body?: {
    [key: string]: never;
  };
  path: {
    projectId: string;
    modelId: string;
    profileId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/models/{modelId}/profiles/{profileId}/downloads';
};

export type StartModelDownloadResponses = {
  /**
   * OK
   */
  200: ModelDownload;
  /**
   * Accepted
   */
  202: ModelDownload;
};

export type StartModelDownloadResponse = StartModelDownloadResponses[keyof StartModelDownloadResponses];

export type RemoveModelDownloadData = {
  body?: never;
  path: {
    projectId: string;
    modelId: string;
    profileId: string;
    generation: number;
  };
  query?: never;
  url: '/v1/projects/{projectId}/models/{modelId}/profiles/{profileId}/downloads/{generation}';
};

export type RemoveModelDownloadResponses = {
  /**
   * Accepted
   */
  202: ModelDownload;
  /**
   * No Content
   */
  204: void;
};

export type RemoveModelDownloadResponse = RemoveModelDownloadResponses[keyof RemoveModelDownloadResponses];

export type StopModelServiceData = {
  body?: never;
  path: {
    projectId: string;
    modelId: string;
    profileId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/models/{modelId}/profiles/{profileId}/service';
};

export type StopModelServiceResponses = {
  /**
   * Accepted
   */
  202: ModelService;
  /**
   * No Content
   */
  204: void;
};

export type StopModelServiceResponse = StopModelServiceResponses[keyof StopModelServiceResponses];

export type StartModelServiceData = {
  body?: ServiceOptions;
  path: {
    projectId: string;
    modelId: string;
    profileId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/models/{modelId}/profiles/{profileId}/service';
};

export type StartModelServiceResponses = {
  /**
   * OK
   */
  200: ModelService;
  /**
   * Accepted
   */
  202: ModelService;
};

export type StartModelServiceResponse = StartModelServiceResponses[keyof StartModelServiceResponses];

export type RunModelTrialData = {
  body: {
    path: '/v1/chat/completions' | '/v1/completions' | '/v1/embeddings' | '/v1/audio/transcriptions';
    contentType: 'application/json' | 'multipart/form-data';
    /**
     * The native body of that path, with `model` as `self/<modelId>`. For multipart/form-data each member is a field; a file is `{filename, contentType, base64}`.
     */
    body: {
      [key: string]: unknown;
    };
  };
  path: {
    projectId: string;
    modelId: string;
    profileId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/models/{modelId}/profiles/{profileId}/trials';
};

export type RunModelTrialResponses = {
  /**
   * OK
   */
  200: {
    [key: string]: unknown;
  };
};

export type RunModelTrialResponse = RunModelTrialResponses[keyof RunModelTrialResponses];

export type GetModelActivityData = {
  body?: never;
  path: {
    projectId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/models/activity';
};

export type GetModelActivityResponses = {
  /**
   * OK
   */
  200: {
    activity: Array<RuntimeActivity>;
  };
};

export type GetModelActivityResponse = GetModelActivityResponses[keyof GetModelActivityResponses];

export type GetModelAvailabilityData = {
  body?: never;
  path: {
    projectId: string;
  };
  query: {
    model: string;
    purpose?: 'general' | 'judgement' | 'embedding';
  };
  url: '/v1/projects/{projectId}/models/availability';
};

export type GetModelAvailabilityResponses = {
  /**
   * OK
   */
  200: ModelAvailability;
};

export type GetModelAvailabilityResponse = GetModelAvailabilityResponses[keyof GetModelAvailabilityResponses];

export type GetModelCatalogData = {
  body?: never;
  path: {
    projectId: string;
  };
  query?: {
    /**
     * Words in names and tags, all of them
     */
    search?: string;
    category?: 'chat' | 'embedding' | 'transcription' | 'reranking' | 'vision' | 'other';
    pipelineTag?: string;
    format?: 'gguf' | 'safetensors' | 'ctranslate2';
    /**
     * When true, only installed models
     */
    installed?: boolean;
    sort?: string;
    limit?: number;
    cursor?: string;
  };
  url: '/v1/projects/{projectId}/models/catalog';
};

export type GetModelCatalogResponses = {
  /**
   * OK
   */
  200: {
    runtime: RuntimeSnapshot;
    page: CatalogPage;
  };
};

export type GetModelCatalogResponse = GetModelCatalogResponses[keyof GetModelCatalogResponses];

export type RefreshCatalogData = {
  body?: {
    search?: string;
  };
  path: {
    projectId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/models/catalog-refreshes';
};

export type RefreshCatalogResponses = {
  /**
   * OK
   */
  200: {
    hub: HubStatus;
    discoveredCount: number;
  };
};

export type RefreshCatalogResponse = RefreshCatalogResponses[keyof RefreshCatalogResponses];

export type RemoveEngineData = {
  body?: never;
  path: {
    projectId: string;
    engine: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/models/engines/{engine}';
};

export type RemoveEngineResponses = {
  /**
   * Accepted
   */
  202: EngineInstallation;
  /**
   * No Content
   */
  204: void;
};

export type RemoveEngineResponse = RemoveEngineResponses[keyof RemoveEngineResponses];

export type InstallEngineData = {
  body?: {
    [key: string]: never;
  };
  path: {
    projectId: string;
    engine: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/models/engines/{engine}/installations';
};

export type InstallEngineResponses = {
  /**
   * OK
   */
  200: EngineInstallation;
  /**
   * Accepted
   */
  202: EngineInstallation;
};

export type InstallEngineResponse = InstallEngineResponses[keyof InstallEngineResponses];

export type RemoveEngineInstallationData = {
  body?: never;
  path: {
    projectId: string;
    engine: string;
    generation: number;
  };
  query?: never;
  url: '/v1/projects/{projectId}/models/engines/{engine}/installations/{generation}';
};

export type RemoveEngineInstallationResponses = {
  /**
   * Accepted
   */
  202: EngineInstallation;
  /**
   * No Content
   */
  204: void;
};

export type RemoveEngineInstallationResponse =
  RemoveEngineInstallationResponses[keyof RemoveEngineInstallationResponses];

export type DeleteHubTokenData = {
  body?: never;
  path: {
    projectId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/models/hub-token';
};

export type DeleteHubTokenResponses = {
  /**
   * No Content
   */
  204: void;
};

export type DeleteHubTokenResponse = DeleteHubTokenResponses[keyof DeleteHubTokenResponses];

export type GetHubTokenData = {
  body?: never;
  path: {
    projectId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/models/hub-token';
};

export type GetHubTokenResponses = {
  /**
   * OK
   */
  200: HubTokenStatus;
};

export type GetHubTokenResponse = GetHubTokenResponses[keyof GetHubTokenResponses];

export type SetHubTokenData = {
  body: {
    token: string;
  };
  path: {
    projectId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/models/hub-token';
};

export type SetHubTokenResponses = {
  /**
   * OK
   */
  200: HubTokenStatus;
};

export type SetHubTokenResponse = SetHubTokenResponses[keyof SetHubTokenResponses];

export type ImportFromHubData = {
  body: {
    repoId: string;
  };
  path: {
    projectId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/models/imports/hub';
};

export type ImportFromHubResponses = {
  /**
   * OK
   */
  200: ModelDetail;
  /**
   * Created
   */
  201: ModelDetail;
};

export type ImportFromHubResponse = ImportFromHubResponses[keyof ImportFromHubResponses];

export type ListProvidersData = {
  body?: never;
  path: {
    projectId: string;
  };
  query?: {
    limit?: number;
    cursor?: string;
  };
  url: '/v1/projects/{projectId}/models/providers';
};

export type ListProvidersResponses = {
  /**
   * OK
   */
  200: {
    providers: Array<Provider>;
    nextCursor: string | null;
  };
};

export type ListProvidersResponse = ListProvidersResponses[keyof ListProvidersResponses];

export type CreateProviderData = {
  body: {
    name: string;
    /**
     * Where its OpenAI-compatible API is: `https://host/v1`
     */
    baseUrl?: string;
    apiKey?: string;
    /**
     * Replaces all prices. Calls cost what was entered at their time; a change is for later calls
     */
    prices?: Array<ModelPrice>;
  };
  path: {
    projectId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/models/providers';
};

export type CreateProviderResponses = {
  /**
   * Created
   */
  201: Provider;
};

export type CreateProviderResponse = CreateProviderResponses[keyof CreateProviderResponses];

export type DeleteProviderData = {
  body?: never;
  path: {
    projectId: string;
    name: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/models/providers/{name}';
};

export type DeleteProviderResponses = {
  /**
   * No Content
   */
  204: void;
};

export type DeleteProviderResponse = DeleteProviderResponses[keyof DeleteProviderResponses];

export type GetProviderData = {
  body?: never;
  path: {
    projectId: string;
    name: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/models/providers/{name}';
};

export type GetProviderResponses = {
  /**
   * OK
   */
  200: Provider;
};

export type GetProviderResponse = GetProviderResponses[keyof GetProviderResponses];

export type UpdateProviderData = {
  body: {
    /**
     * Where its OpenAI-compatible API is: `https://host/v1`
     */
    baseUrl?: string;
    apiKey?: string | null;
    /**
     * Replaces all prices. Calls cost what was entered at their time; a change is for later calls
     */
    prices?: Array<ModelPrice>;
  };
  path: {
    projectId: string;
    name: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/models/providers/{name}';
};

export type UpdateProviderResponses = {
  /**
   * OK
   */
  200: Provider;
};

export type UpdateProviderResponse = UpdateProviderResponses[keyof UpdateProviderResponses];

export type TestProviderData = {
  body?: never;
  path: {
    projectId: string;
    name: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/models/providers/{name}/test';
};

export type TestProviderResponses = {
  /**
   * OK
   */
  200: ProviderTest;
};

export type TestProviderResponse = TestProviderResponses[keyof TestProviderResponses];

export type GetModelRuntimeData = {
  body?: never;
  path: {
    projectId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/models/runtime';
};

export type GetModelRuntimeResponses = {
  /**
   * OK
   */
  200: RuntimeSnapshot;
};

export type GetModelRuntimeResponse = GetModelRuntimeResponses[keyof GetModelRuntimeResponses];

export type GetModelSettingsData = {
  body?: never;
  path: {
    projectId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/models/settings';
};

export type GetModelSettingsResponses = {
  /**
   * OK
   */
  200: {
    settings: ModelSettings;
  };
};

export type GetModelSettingsResponse = GetModelSettingsResponses[keyof GetModelSettingsResponses];

export type UpdateModelSettingsData = {
  body: {
    defaultModel?: string | null;
    dailySystemTokens?: number | null;
  };
  path: {
    projectId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/models/settings';
};

export type UpdateModelSettingsResponses = {
  /**
   * OK
   */
  200: {
    settings: ModelSettings;
  };
};

export type UpdateModelSettingsResponse = UpdateModelSettingsResponses[keyof UpdateModelSettingsResponses];

export type ListModelUsageData = {
  body?: never;
  path: {
    projectId: string;
  };
  query?: {
    /**
     * Inclusive, UTC
     */
    from?: string;
    /**
     * Inclusive, UTC
     */
    to?: string;
    limit?: number;
    cursor?: string;
  };
  url: '/v1/projects/{projectId}/models/usage';
};

export type ListModelUsageResponses = {
  /**
   * OK
   */
  200: {
    usage: Array<DayUsage>;
    nextCursor: string | null;
  };
};

export type ListModelUsageResponse = ListModelUsageResponses[keyof ListModelUsageResponses];

export type GetQuotasData = {
  body?: never;
  path: {
    projectId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/quotas';
};

export type GetQuotasResponses = {
  /**
   * OK
   */
  200: {
    quotas: Quotas;
    /**
     * Null if they were never set
     */
    updatedAt: number | null;
  };
};

export type GetQuotasResponse = GetQuotasResponses[keyof GetQuotasResponses];

export type SetQuotasData = {
  body: {
    ingestedBytesPerDay?: number | null;
    ingestedRecordsPerDay?: number | null;
    inferenceTokensPerDay?: number | null;
    inferenceTokensPerMonth?: number | null;
    storedBytes?: number | null;
  };
  path: {
    projectId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/quotas';
};

export type SetQuotasResponses = {
  /**
   * OK
   */
  200: {
    quotas: Quotas;
    /**
     * Null if they were never set
     */
    updatedAt: number | null;
  };
};

export type SetQuotasResponse = SetQuotasResponses[keyof SetQuotasResponses];

export type GetRetentionData = {
  body?: never;
  path: {
    projectId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/telemetry/retention';
};

export type GetRetentionResponses = {
  /**
   * OK
   */
  200: {
    retention: RetentionStates;
  };
};

export type GetRetentionResponse = GetRetentionResponses[keyof GetRetentionResponses];

export type GetTelemetrySettingsData = {
  body?: never;
  path: {
    projectId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/telemetry/settings';
};

export type GetTelemetrySettingsResponses = {
  /**
   * OK
   */
  200: {
    settings: TelemetrySettings;
  };
};

export type GetTelemetrySettingsResponse = GetTelemetrySettingsResponses[keyof GetTelemetrySettingsResponses];

export type UpdateTelemetrySettingsData = {
  body: {
    /**
     * Spans go so long after they were received, a conversation so long after the last of it was
     */
    telemetryRetentionDays?: number;
    /**
     * Words go so long after they were received; what is quoted stays. No longer than telemetry is kept
     */
    rawPayloadRetentionDays?: number;
    /**
     * A snapshot that is not the latest of its conversation goes so long after it was made
     */
    snapshotRetentionDays?: number;
    /**
     * How often staged objects and snapshots are looked through, and traces put together
     */
    maintenanceIntervalHours?: number;
    /**
     * The scores that count as success or failure, for Rules, judgements and collection alike, in what is read from then on. Other scores count as neither; while the list is empty, all scores count with their usual meaning
     */
    successScores?: Array<{
      /**
       * The name of the score, as it is sent
       */
      name: string;
      /**
       * A number counts as success from here on, and as failure below. Without it a number has its usual meaning: success from 0.5 to 1, failure from 0 up to there. true, false and words always have theirs
       */
      atLeast?: number;
    }>;
    /**
     * What is absent stays; `patterns` and `allow` replace their lists. In force within seconds
     */
    masking?: {
      /**
       * Whether anything is masked
       */
      enabled?: boolean;
      /**
       * Own patterns of the project
       */
      patterns?: Array<MaskingPattern>;
      /**
       * Values that are never masked, without regard to case; `@example.com` allows every address there
       */
      allow?: Array<string>;
      builtIn?: {
        secrets?: boolean;
        emails?: boolean;
        phones?: boolean;
        cards?: boolean;
        bankAccounts?: boolean;
        nationalIds?: boolean;
        addresses?: boolean;
      };
    };
    /**
     * full: what was said. structure: roles, names of tools, lengths, times, tokens and kinds of errors alone, from then on
     */
    contentCapture?: 'full' | 'structure';
  };
  path: {
    projectId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/telemetry/settings';
};

export type UpdateTelemetrySettingsResponses = {
  /**
   * OK
   */
  200: {
    settings: TelemetrySettings;
  };
};

export type UpdateTelemetrySettingsResponse = UpdateTelemetrySettingsResponses[keyof UpdateTelemetrySettingsResponses];

export type GetTraceData = {
  body?: never;
  path: {
    projectId: string;
    traceId: string;
  };
  query?: {
    limit?: number;
    cursor?: string;
  };
  url: '/v1/projects/{projectId}/traces/{traceId}';
};

export type GetTraceResponses = {
  /**
   * OK
   */
  200: Trace;
};

export type GetTraceResponse = GetTraceResponses[keyof GetTraceResponses];

export type GetProjectUsageData = {
  body?: never;
  path: {
    projectId: string;
  };
  query: {
    /**
     * First day (UTC), inclusive
     */
    fromDay: string;
    /**
     * Last day (UTC), inclusive
     */
    toDay: string;
    by?: 'day' | 'model' | 'key' | 'project';
  };
  url: '/v1/projects/{projectId}/usage';
};

export type GetProjectUsageResponses = {
  /**
   * OK
   */
  200: {
    usage: Array<UsageRow>;
    /**
     * False if there are more than 1000 groups
     */
    isComplete: boolean;
  };
};

export type GetProjectUsageResponse = GetProjectUsageResponses[keyof GetProjectUsageResponses];

export type ListWebhooksData = {
  body?: never;
  path: {
    projectId: string;
  };
  query?: {
    limit?: number;
    cursor?: string;
  };
  url: '/v1/projects/{projectId}/webhooks';
};

export type ListWebhooksResponses = {
  /**
   * OK
   */
  200: {
    webhooks: Array<Webhook>;
    nextCursor: string | null;
  };
};

export type ListWebhooksResponse = ListWebhooksResponses[keyof ListWebhooksResponses];

export type CreateWebhookData = {
  body: {
    /**
     * An http or https URL; for the format `email`, `mailto:` and one mail address
     */
    url: string | string;
    events: Array<WebhookEventChoice>;
    /**
     * Severities of Findings that are told; an empty list: all
     */
    severities?: Array<'critical' | 'high' | 'medium' | 'low' | 'info'>;
    /**
     * Bound of `failure_rate.exceeded`: told once when the estimate of the last seven days comes above it, and again after it was below
     */
    failureRateAbove?: number;
    /**
     * standard: `{type, timestamp, data}`, as Standard Webhooks have it. json: `data` alone. slack: a message that can be read, for Slack and what takes its messages. email: a letter to the address after `mailto:`, with all that has happened within a minute
     */
    format?: 'standard' | 'slack' | 'json' | 'email';
    description?: string;
    enabled?: boolean;
  };
  path: {
    projectId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/webhooks';
};

export type CreateWebhookResponses = {
  /**
   * Created
   */
  201: WebhookWithSecret;
};

export type CreateWebhookResponse = CreateWebhookResponses[keyof CreateWebhookResponses];

export type DeleteWebhookData = {
  body?: never;
  path: {
    projectId: string;
    webhookId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/webhooks/{webhookId}';
};

export type DeleteWebhookResponses = {
  /**
   * No Content
   */
  204: void;
};

export type DeleteWebhookResponse = DeleteWebhookResponses[keyof DeleteWebhookResponses];

export type GetWebhookData = {
  body?: never;
  path: {
    projectId: string;
    webhookId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/webhooks/{webhookId}';
};

export type GetWebhookResponses = {
  /**
   * OK
   */
  200: Webhook;
};

export type GetWebhookResponse = GetWebhookResponses[keyof GetWebhookResponses];

export type UpdateWebhookData = {
  body: {
    /**
     * An http or https URL; for the format `email`, `mailto:` and one mail address
     */
    url?: string | string;
    events?: Array<WebhookEventChoice>;
    /**
     * Severities of Findings that are told; an empty list: all
     */
    severities?: Array<'critical' | 'high' | 'medium' | 'low' | 'info'>;
    /**
     * Bound of `failure_rate.exceeded`: told once when the estimate of the last seven days comes above it, and again after it was below
     */
    failureRateAbove?: number;
    /**
     * standard: `{type, timestamp, data}`, as Standard Webhooks have it. json: `data` alone. slack: a message that can be read, for Slack and what takes its messages. email: a letter to the address after `mailto:`, with all that has happened within a minute
     */
    format?: 'standard' | 'slack' | 'json' | 'email';
    description?: string;
    enabled?: boolean;
  };
  path: {
    projectId: string;
    webhookId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/webhooks/{webhookId}';
};

export type UpdateWebhookResponses = {
  /**
   * OK
   */
  200: Webhook;
};

export type UpdateWebhookResponse = UpdateWebhookResponses[keyof UpdateWebhookResponses];

export type ListWebhookDeliveriesData = {
  body?: never;
  path: {
    projectId: string;
    webhookId: string;
  };
  query?: {
    status?: 'pending' | 'delivered' | 'failed';
    limit?: number;
    cursor?: string;
  };
  url: '/v1/projects/{projectId}/webhooks/{webhookId}/deliveries';
};

export type ListWebhookDeliveriesResponses = {
  /**
   * OK
   */
  200: {
    deliveries: Array<WebhookDelivery>;
    nextCursor: string | null;
  };
};

export type ListWebhookDeliveriesResponse = ListWebhookDeliveriesResponses[keyof ListWebhookDeliveriesResponses];

export type GetWebhookDeliveryData = {
  body?: never;
  path: {
    projectId: string;
    webhookId: string;
    deliveryId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/webhooks/{webhookId}/deliveries/{deliveryId}';
};

export type GetWebhookDeliveryResponses = {
  /**
   * OK
   */
  200: WebhookDelivery;
};

export type GetWebhookDeliveryResponse = GetWebhookDeliveryResponses[keyof GetWebhookDeliveryResponses];

export type RedeliverWebhookData = {
  body?: never;
  path: {
    projectId: string;
    webhookId: string;
    deliveryId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver';
};

export type RedeliverWebhookResponses = {
  /**
   * Accepted
   */
  202: WebhookDelivery;
};

export type RedeliverWebhookResponse = RedeliverWebhookResponses[keyof RedeliverWebhookResponses];

export type RotateWebhookSecretData = {
  body?: {
    graceMs?: number;
  };
  path: {
    projectId: string;
    webhookId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/webhooks/{webhookId}/rotate';
};

export type RotateWebhookSecretResponses = {
  /**
   * OK
   */
  200: WebhookWithSecret;
};

export type RotateWebhookSecretResponse = RotateWebhookSecretResponses[keyof RotateWebhookSecretResponses];

export type TestWebhookData = {
  body?: never;
  path: {
    projectId: string;
    webhookId: string;
  };
  query?: never;
  url: '/v1/projects/{projectId}/webhooks/{webhookId}/test';
};

export type TestWebhookResponses = {
  /**
   * OK
   */
  200: WebhookTest;
};

export type TestWebhookResponse = TestWebhookResponses[keyof TestWebhookResponses];

export type ExportTracesData = {
  body: {
    [key: string]: unknown;
  };
  path?: never;
  query?: never;
  url: '/v1/traces';
};

export type ExportTracesResponses = {
  /**
   * OK
   */
  200: {
    partialSuccess?: {
      rejectedSpans?: string;
      rejectedLogRecords?: string;
      rejectedDataPoints?: string;
      errorMessage: string;
    };
  };
};

export type ExportTracesResponse = ExportTracesResponses[keyof ExportTracesResponses];

export type GetUsageData = {
  body?: never;
  path?: never;
  query: {
    /**
     * First day (UTC), inclusive
     */
    fromDay: string;
    /**
     * Last day (UTC), inclusive
     */
    toDay: string;
    by?: 'project' | 'day' | 'model' | 'key';
  };
  url: '/v1/usage';
};

export type GetUsageResponses = {
  /**
   * OK
   */
  200: {
    usage: Array<UsageRow>;
    /**
     * False if there are more than 1000 groups
     */
    isComplete: boolean;
  };
};

export type GetUsageResponse = GetUsageResponses[keyof GetUsageResponses];

export type ReceiveProviderWebhookData = {
  body: {
    [key: string]: unknown;
  };
  path: {
    provider: string;
    connectorId: string;
  };
  query?: {
    /**
     * The secret of the connector, for webhooks of Jira without a signature
     */
    secret?: string;
  };
  url: '/v1/webhooks/{provider}/{connectorId}';
};

export type ReceiveProviderWebhookResponses = {
  /**
   * OK
   */
  200: ProviderDelivery;
  /**
   * Accepted
   */
  202: ProviderDelivery;
};

export type ReceiveProviderWebhookResponse = ReceiveProviderWebhookResponses[keyof ReceiveProviderWebhookResponses];
