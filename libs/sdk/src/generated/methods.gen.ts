// Generated from the route specs by `npm run generate`; not to be edited.
import type { UploadBody } from '../bodies/encode-body.ts';
import type { ApiCall } from '../calls/api-call.ts';
import type { EitherCall } from '../calls/either-call.ts';
import type { PageCall } from '../calls/page-call.ts';
import type { StreamCall } from '../calls/stream-call.ts';
import type { WaitOptions } from '../calls/wait.ts';
import type { ItemOf, Params } from '../methods.ts';
import type * as Api from './types.gen.ts';

type AnyErrors = 'BAD_REQUEST' | 'INTERNAL_ERROR' | 'OVERLOADED' | 'UPSTREAM_UNAVAILABLE';
type IdentifiedErrors = 'UNAUTHENTICATED' | 'FORBIDDEN' | 'RATE_LIMITED';
type SameOriginErrors = 'CROSS_ORIGIN';
type ForwardedErrors = 'UPSTREAM_TIMEOUT';
type ProjectByHeaderErrors = 'PROJECT_REQUIRED' | 'NOT_FOUND';
type NamedErrors = 'NOT_FOUND';
type WithBodyErrors =
  'MALFORMED_BODY' | 'REQUEST_TIMEOUT' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'UNSUPPORTED_ENCODING';
type IdempotentErrors = 'INVALID_IDEMPOTENCY_KEY' | 'IDEMPOTENCY_KEY_IN_FLIGHT' | 'IDEMPOTENCY_KEY_REUSED';
type NamedByKeyErrors = 'INVALID_IDEMPOTENCY_KEY';
type ConditionalErrors = 'PRECONDITION_FAILED';
export interface InferenceMethods {
  readonly transcriptions: InferenceTranscriptionsMethods;
  readonly chatCompletions: InferenceChatCompletionsMethods;
  readonly completions: InferenceCompletionsMethods;
  readonly embeddings: InferenceEmbeddingsMethods;
  readonly models: InferenceModelsMethods;
}

export interface InferenceTranscriptionsMethods {
  /**
   * Transcribe a recording: `POST /v1/audio/transcriptions`.
   */
  create(
    body: FormData,
    params?: Params<Api.CreateTranscriptionData>,
  ): EitherCall<
    Api.CreateTranscriptionResponse,
    unknown,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | ProjectByHeaderErrors
    | WithBodyErrors
    | 'PROVIDER_REFUSED'
    | 'OUTBOUND_REFUSED'
    | 'PROVIDER_CREDENTIALS_REFUSED'
    | 'SERVICE_NOT_RUNNING'
    | 'MODEL_UNAVAILABLE'
    | 'QUOTA_EXCEEDED'
    | 'PROVIDER_RATE_LIMITED'
    | 'PROVIDER_FAILED'
    | 'PROVIDER_UNAVAILABLE'
    | 'PROVIDER_TIMEOUT'
  >;
}

export interface InferenceChatCompletionsMethods {
  /**
   * Chat with a model: `<provider>/<model_name>`, `self/<model_id>` or `service/auto`: `POST /v1/chat/completions`.
   */
  create(
    body: Api.CreateChatCompletionData['body'],
    params?: Params<Api.CreateChatCompletionData>,
  ): EitherCall<
    Api.CreateChatCompletionResponse,
    Api.CreateChatCompletionItem,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | ProjectByHeaderErrors
    | WithBodyErrors
    | 'PROVIDER_REFUSED'
    | 'OUTBOUND_REFUSED'
    | 'PROVIDER_CREDENTIALS_REFUSED'
    | 'SERVICE_NOT_RUNNING'
    | 'MODEL_UNAVAILABLE'
    | 'QUOTA_EXCEEDED'
    | 'PROVIDER_RATE_LIMITED'
    | 'PROVIDER_FAILED'
    | 'PROVIDER_UNAVAILABLE'
    | 'PROVIDER_TIMEOUT'
  >;
}

export interface InferenceCompletionsMethods {
  /**
   * Complete a text: `POST /v1/completions`.
   */
  create(
    body: Api.CreateCompletionData['body'],
    params?: Params<Api.CreateCompletionData>,
  ): EitherCall<
    Api.CreateCompletionResponse,
    Api.CreateCompletionItem,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | ProjectByHeaderErrors
    | WithBodyErrors
    | 'PROVIDER_REFUSED'
    | 'OUTBOUND_REFUSED'
    | 'PROVIDER_CREDENTIALS_REFUSED'
    | 'SERVICE_NOT_RUNNING'
    | 'MODEL_UNAVAILABLE'
    | 'QUOTA_EXCEEDED'
    | 'PROVIDER_RATE_LIMITED'
    | 'PROVIDER_FAILED'
    | 'PROVIDER_UNAVAILABLE'
    | 'PROVIDER_TIMEOUT'
  >;
}

export interface InferenceEmbeddingsMethods {
  /**
   * Embed texts: `POST /v1/embeddings`.
   */
  create(
    body: Api.CreateEmbeddingsData['body'],
    params?: Params<Api.CreateEmbeddingsData>,
  ): EitherCall<
    Api.CreateEmbeddingsResponse,
    unknown,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | ProjectByHeaderErrors
    | WithBodyErrors
    | 'PROVIDER_REFUSED'
    | 'OUTBOUND_REFUSED'
    | 'PROVIDER_CREDENTIALS_REFUSED'
    | 'SERVICE_NOT_RUNNING'
    | 'MODEL_UNAVAILABLE'
    | 'QUOTA_EXCEEDED'
    | 'PROVIDER_RATE_LIMITED'
    | 'PROVIDER_FAILED'
    | 'PROVIDER_UNAVAILABLE'
    | 'PROVIDER_TIMEOUT'
  >;
}

export interface InferenceModelsMethods {
  /**
   * List the models that can be called, as the OpenAI API has it: `GET /v1/models`.
   */
  list(
    params?: Params<Api.ListInferenceModelsData>,
  ): ApiCall<Api.ListInferenceModelsResponse, AnyErrors | IdentifiedErrors | ForwardedErrors | ProjectByHeaderErrors>;
}

export interface AuditMethods {
  /**
   * List administrative deeds and sign-in events, newest first: `GET /v1/audit`.
   */
  list(
    params?: Params<Api.ListAuditData>,
  ): PageCall<Api.ListAuditResponse, ItemOf<Api.ListAuditResponse, 'entries'>, AnyErrors | IdentifiedErrors>;
  /**
   * Stream the same entries as JSONL, newest first: `GET /v1/audit/export`.
   */
  export(params?: Params<Api.ExportAuditData>): StreamCall<Api.ExportAuditItem, AnyErrors | IdentifiedErrors>;
  /**
   * List the deeds that concern one project alone, newest first: `GET /v1/projects/:projectId/audit`.
   */
  listOfProject(
    params?: Params<Api.ListProjectAuditData>,
  ): PageCall<
    Api.ListProjectAuditResponse,
    ItemOf<Api.ListProjectAuditResponse, 'entries'>,
    AnyErrors | IdentifiedErrors | NamedErrors
  >;
}

export interface AuthMethods {
  /**
   * How people can sign in here, and whether the first owner has yet to be made: `GET /v1/auth/methods`.
   */
  methods(params?: Params<Api.GetSignInMethodsData>): ApiCall<Api.GetSignInMethodsResponse, AnyErrors | 'RATE_LIMITED'>;
  /**
   * Make the first owner, with the token of the set-up link, and sign in: `POST /v1/auth/setup`.
   */
  setUp(
    body: Api.SetUpData['body'],
    params?: Params<Api.SetUpData>,
  ): ApiCall<Api.SetUpResponse, AnyErrors | SameOriginErrors | WithBodyErrors | 'NOT_FOUND' | 'RATE_LIMITED'>;
  /**
   * Sign in with a password, or with a link that works once: `POST /v1/auth/sign-in`.
   */
  signIn(
    body: Api.SignInData['body'],
    params?: Params<Api.SignInData>,
  ): ApiCall<
    Api.SignInResponse,
    AnyErrors | SameOriginErrors | WithBodyErrors | 'UNAUTHENTICATED' | 'PASSWORD_SIGN_IN_OFF' | 'RATE_LIMITED'
  >;
  /**
   * End the session of the cookie, and remove the cookie; safe to repeat: `POST /v1/auth/sign-out`.
   */
  signOut(
    params?: Params<Api.SignOutData>,
  ): ApiCall<Api.SignOutResponse, AnyErrors | SameOriginErrors | 'RATE_LIMITED'>;
  readonly devices: AuthDevicesMethods;
  readonly invitations: AuthInvitationsMethods;
  readonly oneTimeLinks: AuthOneTimeLinksMethods;
  readonly resets: AuthResetsMethods;
}

export interface AuthDevicesMethods {
  /**
   * Ask for a key for a device: a person approves it in a browser (RFC 8628): `POST /v1/auth/device`.
   */
  start(
    body: Api.StartDeviceData['body'],
    params?: Params<Api.StartDeviceData>,
  ): ApiCall<Api.StartDeviceResponse, AnyErrors | WithBodyErrors | 'RATE_LIMITED'>;
  /**
   * Approve or deny a device, given by its user code: `POST /v1/auth/device/approve`.
   */
  decide(
    body: Api.DecideDeviceData['body'],
    params?: Params<Api.DecideDeviceData>,
  ): ApiCall<
    Api.DecideDeviceResponse,
    AnyErrors | IdentifiedErrors | SameOriginErrors | WithBodyErrors | 'NOT_FOUND' | 'RATE_LIMITED'
  >;
  /**
   * Take the key of an approved device, once: `POST /v1/auth/device/token`.
   */
  token(
    body: Api.GetDeviceTokenData['body'],
    params?: Params<Api.GetDeviceTokenData>,
  ): ApiCall<
    Api.GetDeviceTokenResponse,
    | AnyErrors
    | WithBodyErrors
    | 'AUTHORIZATION_PENDING'
    | 'SLOW_DOWN'
    | 'ACCESS_DENIED'
    | 'EXPIRED_TOKEN'
    | 'INVALID_GRANT'
    | 'RATE_LIMITED'
  >;
}

export interface AuthInvitationsMethods {
  /**
   * Read an invitation with the token of its link; reading does not use it up: `GET /v1/auth/invitations/:token`.
   */
  get(
    token: string,
    params?: Params<Api.GetOpenInvitationData>,
  ): ApiCall<Api.GetOpenInvitationResponse, AnyErrors | NamedErrors | 'RATE_LIMITED'>;
  /**
   * Accept an invitation, and sign in: `POST /v1/auth/invitations/:token`.
   */
  accept(
    token: string,
    body: Api.AcceptInvitationData['body'],
    params?: Params<Api.AcceptInvitationData>,
  ): ApiCall<
    Api.AcceptInvitationResponse,
    | AnyErrors
    | SameOriginErrors
    | NamedErrors
    | WithBodyErrors
    | 'UNAUTHENTICATED'
    | 'PASSWORD_SIGN_IN_OFF'
    | 'CONFLICT'
    | 'RATE_LIMITED'
  >;
}

export interface AuthOneTimeLinksMethods {
  /**
   * Make a link that signs a person in once, within ten minutes: `POST /v1/auth/one-time-links`.
   */
  create(
    body?: Api.CreateOneTimeLinkData['body'],
    params?: Params<Api.CreateOneTimeLinkData>,
  ): ApiCall<
    Api.CreateOneTimeLinkResponse,
    AnyErrors | IdentifiedErrors | SameOriginErrors | WithBodyErrors | 'NOT_FOUND'
  >;
}

export interface AuthResetsMethods {
  /**
   * Read whose password a reset link sets; reading does not use it up: `GET /v1/auth/resets/:token`.
   */
  get(
    token: string,
    params?: Params<Api.GetOpenResetData>,
  ): ApiCall<Api.GetOpenResetResponse, AnyErrors | NamedErrors | 'RATE_LIMITED'>;
  /**
   * Set a new password with a reset link, and sign in: all other sessions of the person end: `POST /v1/auth/resets/:token`.
   */
  use(
    token: string,
    body: Api.UseResetData['body'],
    params?: Params<Api.UseResetData>,
  ): ApiCall<Api.UseResetResponse, AnyErrors | SameOriginErrors | NamedErrors | WithBodyErrors | 'RATE_LIMITED'>;
}

export interface HealthMethods {
  /**
   * Whether the work of the whole deployment gets done: each signal apart, none of them liveness: `GET /v1/health/signals`.
   */
  signals(
    params?: Params<Api.GetHealthSignalsData>,
  ): ApiCall<Api.GetHealthSignalsResponse, AnyErrors | IdentifiedErrors | 'NOT_FOUND'>;
}

export interface InvitationsMethods {
  /**
   * List the invitations that nobody has accepted yet and that the caller may manage, newest first: `GET /v1/invitations`.
   */
  list(
    params?: Params<Api.ListInvitationsData>,
  ): PageCall<
    Api.ListInvitationsResponse,
    ItemOf<Api.ListInvitationsResponse, 'invitations'>,
    AnyErrors | IdentifiedErrors
  >;
  /**
   * Invite somebody; the answer has the link, which can be copied and works without mail: `POST /v1/invitations`.
   */
  create(
    body: Api.CreateInvitationData['body'],
    params?: Params<Api.CreateInvitationData>,
  ): ApiCall<
    Api.CreateInvitationResponse,
    AnyErrors | IdentifiedErrors | SameOriginErrors | WithBodyErrors | 'NOT_FOUND' | 'CONFLICT' | 'TOO_MANY_INVITATIONS'
  >;
  /**
   * Withdraw an invitation; safe to repeat: `DELETE /v1/invitations/:invitationId`.
   */
  withdraw(
    invitationId: string,
    params?: Params<Api.WithdrawInvitationData>,
  ): ApiCall<Api.WithdrawInvitationResponse, AnyErrors | IdentifiedErrors | SameOriginErrors | NamedErrors>;
  /**
   * Make a new link of an invitation, also when it has expired; the earlier one stops working: `POST /v1/invitations/:invitationId/link`.
   */
  createLink(
    invitationId: string,
    params?: Params<Api.CreateInvitationLinkData>,
  ): ApiCall<Api.CreateInvitationLinkResponse, AnyErrors | IdentifiedErrors | SameOriginErrors | NamedErrors>;
}

export interface TelemetryMethods {
  /**
   * Take GenAI events that come as log records: `POST /v1/logs`.
   */
  sendLogs(
    body: Api.ExportLogsData['body'],
    params?: Params<Api.ExportLogsData>,
  ): ApiCall<
    Api.ExportLogsResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | ProjectByHeaderErrors
    | WithBodyErrors
    | 'QUOTA_EXCEEDED'
  >;
  /**
   * Metrics are not stored; says so: `POST /v1/metrics`.
   */
  sendMetrics(
    body: Api.ExportMetricsData['body'],
    params?: Params<Api.ExportMetricsData>,
  ): ApiCall<
    Api.ExportMetricsResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | ProjectByHeaderErrors
    | WithBodyErrors
    | 'QUOTA_EXCEEDED'
  >;
  /**
   * Read what each mechanism of retention removed, when it last ran, and what it has yet to do: `GET /v1/projects/:projectId/telemetry/retention`.
   */
  retention(
    params?: Params<Api.GetRetentionData>,
  ): ApiCall<Api.GetRetentionResponse, AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors>;
  /**
   * Take spans; 200 only when they are durable: `POST /v1/traces`.
   */
  sendTraces(
    body: Api.ExportTracesData['body'],
    params?: Params<Api.ExportTracesData>,
  ): ApiCall<
    Api.ExportTracesResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | ProjectByHeaderErrors
    | WithBodyErrors
    | 'QUOTA_EXCEEDED'
  >;
  readonly settings: TelemetrySettingsMethods;
}

export interface TelemetrySettingsMethods {
  /**
   * Read for how long telemetry is kept, which scores count, and what is masked: `GET /v1/projects/:projectId/telemetry/settings`.
   */
  get(
    params?: Params<Api.GetTelemetrySettingsData>,
  ): ApiCall<Api.GetTelemetrySettingsResponse, AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors>;
  /**
   * Set for how long telemetry is kept, which scores count, and what is masked: `PATCH /v1/projects/:projectId/telemetry/settings`.
   */
  update(
    body: Api.UpdateTelemetrySettingsData['body'],
    params?: Params<Api.UpdateTelemetrySettingsData>,
  ): ApiCall<
    Api.UpdateTelemetrySettingsResponse,
    AnyErrors | IdentifiedErrors | SameOriginErrors | ForwardedErrors | NamedErrors | WithBodyErrors
  >;
}

export interface MeMethods {
  /**
   * Who the credential of this request is, and what it may do: `GET /v1/me`.
   */
  get(params?: Params<Api.GetMeData>): ApiCall<Api.GetMeResponse, AnyErrors | IdentifiedErrors>;
  /**
   * Change your own name: `PATCH /v1/me`.
   */
  update(
    body: Api.UpdateMeData['body'],
    params?: Params<Api.UpdateMeData>,
  ): ApiCall<Api.UpdateMeResponse, AnyErrors | IdentifiedErrors | SameOriginErrors | WithBodyErrors>;
  /**
   * Revoke the key of this request: `DELETE /v1/me/key`.
   */
  revokeKey(params?: Params<Api.RevokeOwnKeyData>): ApiCall<Api.RevokeOwnKeyResponse, AnyErrors | IdentifiedErrors>;
  /**
   * Change your own password: all other sessions end, and this one gets another cookie: `POST /v1/me/password`.
   */
  changePassword(
    body: Api.ChangeMyPasswordData['body'],
    params?: Params<Api.ChangeMyPasswordData>,
  ): ApiCall<
    Api.ChangeMyPasswordResponse,
    AnyErrors | IdentifiedErrors | SameOriginErrors | WithBodyErrors | 'CONFLICT'
  >;
  readonly sessions: MeSessionsMethods;
}

export interface MeSessionsMethods {
  /**
   * Sign out everywhere but here: `DELETE /v1/me/sessions`.
   */
  endOthers(
    params?: Params<Api.EndMyOtherSessionsData>,
  ): ApiCall<Api.EndMyOtherSessionsResponse, AnyErrors | IdentifiedErrors | SameOriginErrors>;
  /**
   * List where you are signed in, newest first; at most 50, as an older one ends with the 51st: `GET /v1/me/sessions`.
   */
  list(params?: Params<Api.ListMySessionsData>): ApiCall<Api.ListMySessionsResponse, AnyErrors | IdentifiedErrors>;
  /**
   * End one of your own sessions; safe to repeat: `DELETE /v1/me/sessions/:sessionId`.
   */
  end(
    sessionId: string,
    params?: Params<Api.EndMySessionData>,
  ): ApiCall<Api.EndMySessionResponse, AnyErrors | IdentifiedErrors | SameOriginErrors | NamedErrors>;
}

export interface PeopleMethods {
  /**
   * List the people of the workspace, newest first: `GET /v1/people`.
   */
  list(
    params?: Params<Api.ListPeopleData>,
  ): PageCall<Api.ListPeopleResponse, ItemOf<Api.ListPeopleResponse, 'people'>, AnyErrors | IdentifiedErrors>;
  /**
   * Remove a person, their sessions and the keys that they made; safe to repeat: `DELETE /v1/people/:personId`.
   */
  delete(
    personId: string,
    params?: Params<Api.DeletePersonData>,
  ): ApiCall<Api.DeletePersonResponse, AnyErrors | IdentifiedErrors | SameOriginErrors | NamedErrors | 'LAST_OWNER'>;
  /**
   * Read one person of the workspace: `GET /v1/people/:personId`.
   */
  get(
    personId: string,
    params?: Params<Api.GetPersonData>,
  ): ApiCall<Api.GetPersonResponse, AnyErrors | IdentifiedErrors | NamedErrors>;
  /**
   * Rename, deactivate or activate a person, make them an owner or unmake them: `PATCH /v1/people/:personId`. Takes `ifMatch`.
   */
  update(
    personId: string,
    body: Api.UpdatePersonData['body'],
    params?: Params<Api.UpdatePersonData>,
  ): ApiCall<
    Api.UpdatePersonResponse,
    AnyErrors | IdentifiedErrors | SameOriginErrors | NamedErrors | WithBodyErrors | ConditionalErrors | 'LAST_OWNER'
  >;
  /**
   * Make a link by which a person sets a new password; an earlier one stops working: `POST /v1/people/:personId/reset-links`.
   */
  createResetLink(
    personId: string,
    params?: Params<Api.CreateResetLinkData>,
  ): ApiCall<Api.CreateResetLinkResponse, AnyErrors | IdentifiedErrors | SameOriginErrors | NamedErrors | 'CONFLICT'>;
}

export interface ProjectErasuresMethods {
  /**
   * Read how far the deletion of a project has come, and what it removed: `GET /v1/project-erasures/:projectErasureId`.
   */
  get(
    projectErasureId: string,
    params?: Params<Api.GetProjectErasureData>,
  ): ApiCall<Api.GetProjectErasureResponse, AnyErrors | IdentifiedErrors | NamedErrors>;
  /** Waits until that has ended: completed. */
  wait(
    projectErasureId: string,
    options?: WaitOptions<Api.GetProjectErasureResponse>,
  ): Promise<Api.GetProjectErasureResponse>;
}

export interface ProjectsMethods {
  /**
   * List the projects that the caller can reach, newest first: `GET /v1/projects`.
   */
  list(
    params?: Params<Api.ListProjectsData>,
  ): PageCall<Api.ListProjectsResponse, ItemOf<Api.ListProjectsResponse, 'projects'>, AnyErrors | IdentifiedErrors>;
  /**
   * Make a project: `POST /v1/projects`.
   */
  create(
    body: Api.CreateProjectData['body'],
    params?: Params<Api.CreateProjectData>,
  ): ApiCall<
    Api.CreateProjectResponse,
    AnyErrors | IdentifiedErrors | SameOriginErrors | WithBodyErrors | IdempotentErrors
  >;
  /**
   * Delete a project, and all that every service has of it: `DELETE /v1/projects/:projectId`.
   */
  delete(
    projectId: string,
    params?: Params<Api.DeleteProjectData>,
  ): ApiCall<Api.DeleteProjectResponse, AnyErrors | IdentifiedErrors | SameOriginErrors | NamedErrors>;
  /**
   * Read one project: `GET /v1/projects/:projectId`.
   */
  get(
    projectId: string,
    params?: Params<Api.GetProjectData>,
  ): ApiCall<Api.GetProjectResponse, AnyErrors | IdentifiedErrors | NamedErrors>;
  /**
   * Rename a project: `PATCH /v1/projects/:projectId`. Takes `ifMatch`.
   */
  update(
    projectId: string,
    body: Api.UpdateProjectData['body'],
    params?: Params<Api.UpdateProjectData>,
  ): ApiCall<
    Api.UpdateProjectResponse,
    AnyErrors | IdentifiedErrors | SameOriginErrors | NamedErrors | WithBodyErrors | ConditionalErrors
  >;
}

export interface ApiKeysMethods {
  /**
   * List the keys that open this project, newest first; revoked ones are gone: `GET /v1/projects/:projectId/api-keys`.
   */
  list(
    params?: Params<Api.ListApiKeysData>,
  ): PageCall<
    Api.ListApiKeysResponse,
    ItemOf<Api.ListApiKeysResponse, 'apiKeys'>,
    AnyErrors | IdentifiedErrors | NamedErrors
  >;
  /**
   * Make an API key; it never gets more than its maker has, nor longer: `POST /v1/projects/:projectId/api-keys`.
   */
  create(
    body: Api.CreateApiKeyData['body'],
    params?: Params<Api.CreateApiKeyData>,
  ): ApiCall<Api.CreateApiKeyResponse, AnyErrors | IdentifiedErrors | SameOriginErrors | NamedErrors | WithBodyErrors>;
  /**
   * Revoke a key at once, and with `withDescendants` all that descend from it; safe to repeat: `DELETE /v1/projects/:projectId/api-keys/:keyId`.
   */
  revoke(
    keyId: string,
    params?: Params<Api.RevokeApiKeyData>,
  ): ApiCall<Api.RevokeApiKeyResponse, AnyErrors | IdentifiedErrors | SameOriginErrors | NamedErrors>;
  /**
   * Make a successor with the same rights; the old key lives on for the grace time: `POST /v1/projects/:projectId/api-keys/:keyId/rotate`.
   */
  rotate(
    keyId: string,
    body?: Api.RotateApiKeyData['body'],
    params?: Params<Api.RotateApiKeyData>,
  ): ApiCall<
    Api.RotateApiKeyResponse,
    AnyErrors | IdentifiedErrors | SameOriginErrors | NamedErrors | WithBodyErrors | 'CONFLICT'
  >;
}

export interface ConversationsMethods {
  /**
   * List conversations, newest start first: `GET /v1/projects/:projectId/conversations`.
   */
  list(
    params?: Params<Api.ListConversationsData>,
  ): PageCall<
    Api.ListConversationsResponse,
    ItemOf<Api.ListConversationsResponse, 'conversations'>,
    AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors
  >;
  /**
   * Erase one conversation, and all that was made of its words: `DELETE /v1/projects/:projectId/conversations/:conversationId`.
   */
  erase(
    conversationId: string,
    params?: Params<Api.EraseConversationData>,
  ): ApiCall<
    Api.EraseConversationResponse,
    AnyErrors | IdentifiedErrors | SameOriginErrors | ForwardedErrors | NamedErrors
  >;
  /**
   * Read one conversation: each message once, in order: `GET /v1/projects/:projectId/conversations/:conversationId`.
   */
  get(
    conversationId: string,
    params?: Params<Api.GetConversationData>,
  ): ApiCall<Api.GetConversationResponse, AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors>;
  /**
   * Read some messages of a conversation, in the order of their indexes: `GET /v1/projects/:projectId/conversations/:conversationId/messages`.
   */
  messages(
    conversationId: string,
    params?: Params<Api.ListConversationMessagesData>,
  ): ApiCall<Api.ListConversationMessagesResponse, AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors>;
  /**
   * Record feedback on a conversation: `POST /v1/projects/:projectId/conversations/:conversationId/scores`.
   */
  score(
    conversationId: string,
    body: Api.CreateScoreData['body'],
    params?: Params<Api.CreateScoreData>,
  ): ApiCall<
    Api.CreateScoreResponse,
    AnyErrors | IdentifiedErrors | SameOriginErrors | ForwardedErrors | NamedErrors | WithBodyErrors | IdempotentErrors
  >;
  /**
   * Count conversations, with the filters of the list: `GET /v1/projects/:projectId/conversations/counts`.
   */
  count(
    params?: Params<Api.CountConversationsData>,
  ): ApiCall<Api.CountConversationsResponse, AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors>;
  /**
   * Import OpenAI-style message lists, one JSON object a line: `{id?, messages: [...], metadata?}`: `POST /v1/projects/:projectId/conversations/import`.
   */
  import(
    file: UploadBody,
    params?: Params<Api.ImportConversationsData>,
  ): ApiCall<
    Api.ImportConversationsResponse,
    AnyErrors | IdentifiedErrors | SameOriginErrors | ForwardedErrors | NamedErrors | WithBodyErrors | 'QUOTA_EXCEEDED'
  >;
  /**
   * Read how many conversations started when, and how they went: `GET /v1/projects/:projectId/conversations/series`.
   */
  series(
    params: Params<Api.ReadConversationSeriesData>,
  ): ApiCall<Api.ReadConversationSeriesResponse, AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors>;
  /**
   * Read how one conversation went, and where the trouble may have begun: `GET /v1/projects/:projectId/diagnostics/conversations/:conversationId`.
   */
  diagnosis(
    conversationId: string,
    params?: Params<Api.GetConversationDiagnosisData>,
  ): ApiCall<
    Api.GetConversationDiagnosisResponse,
    AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors | 'CONVERSATION_NOT_FOUND'
  >;
}

export interface DatasetsMethods {
  /**
   * List Datasets, newest first: `GET /v1/projects/:projectId/datasets`.
   */
  list(
    params?: Params<Api.ListDatasetsData>,
  ): PageCall<
    Api.ListDatasetsResponse,
    ItemOf<Api.ListDatasetsResponse, 'datasets'>,
    AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors
  >;
  /**
   * Make a Dataset: `POST /v1/projects/:projectId/datasets`.
   */
  create(
    body: Api.CreateDatasetData['body'],
    params?: Params<Api.CreateDatasetData>,
  ): ApiCall<
    Api.CreateDatasetResponse,
    AnyErrors | IdentifiedErrors | SameOriginErrors | ForwardedErrors | NamedErrors | WithBodyErrors | IdempotentErrors
  >;
  /**
   * Delete a Dataset with its Examples and versions: `DELETE /v1/projects/:projectId/datasets/:datasetId`. Takes `ifMatch`.
   */
  delete(
    datasetId: string,
    params?: Params<Api.DeleteDatasetData>,
  ): ApiCall<
    Api.DeleteDatasetResponse,
    AnyErrors | IdentifiedErrors | SameOriginErrors | ForwardedErrors | NamedErrors | ConditionalErrors
  >;
  /**
   * Read one Dataset: `GET /v1/projects/:projectId/datasets/:datasetId`.
   */
  get(
    datasetId: string,
    params?: Params<Api.GetDatasetData>,
  ): ApiCall<Api.GetDatasetResponse, AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors>;
  /**
   * Change a Dataset; its schema cannot change: `PATCH /v1/projects/:projectId/datasets/:datasetId`. Takes `ifMatch`.
   */
  update(
    datasetId: string,
    body: Api.UpdateDatasetData['body'],
    params?: Params<Api.UpdateDatasetData>,
  ): ApiCall<
    Api.UpdateDatasetResponse,
    AnyErrors | IdentifiedErrors | SameOriginErrors | ForwardedErrors | NamedErrors | WithBodyErrors | ConditionalErrors
  >;
  /**
   * Stream all Examples as a file, newest first: `GET /v1/projects/:projectId/datasets/:datasetId/export`.
   */
  export(
    datasetId: string,
    params?: Params<Api.ExportExamplesData>,
  ): StreamCall<Api.ExportExamplesItem, AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors>;
  /**
   * Import a file: JSONL of this API, CSV, or OpenAI chat fine-tuning JSONL: `POST /v1/projects/:projectId/datasets/:datasetId/imports`.
   */
  import(
    datasetId: string,
    file: UploadBody,
    params: Params<Api.ImportExamplesData>,
  ): ApiCall<
    Api.ImportExamplesResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | WithBodyErrors
    | IdempotentErrors
    | 'QUOTA_EXCEEDED'
  >;
  readonly collection: DatasetsCollectionMethods;
  readonly versions: DatasetsVersionsMethods;
}

export interface DatasetsCollectionMethods {
  /**
   * Have the Dataset look at some conversations now: `POST /v1/projects/:projectId/datasets/:datasetId/collection/collect`.
   */
  collect(
    datasetId: string,
    body: Api.CollectConversationsData['body'],
    params?: Params<Api.CollectConversationsData>,
  ): ApiCall<
    Api.CollectConversationsResponse,
    AnyErrors | IdentifiedErrors | SameOriginErrors | ForwardedErrors | NamedErrors | WithBodyErrors | 'COLLECTION_OFF'
  >;
  /**
   * List what automatic collection decided on conversations and items, the latest first: `GET /v1/projects/:projectId/datasets/:datasetId/collection/decisions`.
   */
  decisions(
    datasetId: string,
    params?: Params<Api.ListCollectionDecisionsData>,
  ): PageCall<
    Api.ListCollectionDecisionsResponse,
    ItemOf<Api.ListCollectionDecisionsResponse, 'decisions'>,
    AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors
  >;
  /**
   * Tell what the Dataset would collect, and store nothing: `POST /v1/projects/:projectId/datasets/:datasetId/collection/preview`.
   */
  preview(
    datasetId: string,
    body: Api.PreviewCollectionData['body'],
    params?: Params<Api.PreviewCollectionData>,
  ): ApiCall<
    Api.PreviewCollectionResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | WithBodyErrors
    | 'COLLECTION_OFF'
    | 'MODEL_UNAVAILABLE'
  >;
}

export interface DatasetsVersionsMethods {
  /**
   * List the versions of a Dataset, newest first: `GET /v1/projects/:projectId/datasets/:datasetId/versions`.
   */
  list(
    datasetId: string,
    params?: Params<Api.ListVersionsData>,
  ): PageCall<
    Api.ListVersionsResponse,
    ItemOf<Api.ListVersionsResponse, 'versions'>,
    AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors
  >;
  /**
   * What the Examples of one version have that those of an earlier one have not: `GET /v1/projects/:projectId/datasets/:datasetId/versions/diff`.
   */
  diff(
    datasetId: string,
    params: Params<Api.DiffVersionsData>,
  ): PageCall<
    Api.DiffVersionsResponse,
    ItemOf<Api.DiffVersionsResponse, 'changes'>,
    AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors
  >;
}

export interface ExamplesMethods {
  /**
   * List Examples, newest first: `GET /v1/projects/:projectId/datasets/:datasetId/examples`.
   */
  list(
    datasetId: string,
    params?: Params<Api.ListExamplesData>,
  ): PageCall<
    Api.ListExamplesResponse,
    ItemOf<Api.ListExamplesResponse, 'examples'>,
    AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors
  >;
  /**
   * Add an Example: `POST /v1/projects/:projectId/datasets/:datasetId/examples`.
   */
  create(
    datasetId: string,
    body: Api.CreateExampleData['body'],
    params?: Params<Api.CreateExampleData>,
  ): ApiCall<
    Api.CreateExampleResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | WithBodyErrors
    | IdempotentErrors
    | 'QUOTA_EXCEEDED'
  >;
  /**
   * Delete an Example; earlier versions keep it unless it is erased: `DELETE /v1/projects/:projectId/datasets/:datasetId/examples/:exampleId`. Takes `ifMatch`.
   */
  delete(
    datasetId: string,
    exampleId: string,
    params?: Params<Api.DeleteExampleData>,
  ): ApiCall<
    Api.DeleteExampleResponse,
    AnyErrors | IdentifiedErrors | SameOriginErrors | ForwardedErrors | NamedErrors | ConditionalErrors
  >;
  /**
   * Read one Example: `GET /v1/projects/:projectId/datasets/:datasetId/examples/:exampleId`.
   */
  get(
    datasetId: string,
    exampleId: string,
    params?: Params<Api.GetExampleData>,
  ): ApiCall<Api.GetExampleResponse, AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors>;
  /**
   * Replace the source, the tags or the payload of an Example: `PATCH /v1/projects/:projectId/datasets/:datasetId/examples/:exampleId`. Takes `ifMatch`.
   */
  update(
    datasetId: string,
    exampleId: string,
    body: Api.UpdateExampleData['body'],
    params?: Params<Api.UpdateExampleData>,
  ): ApiCall<
    Api.UpdateExampleResponse,
    AnyErrors | IdentifiedErrors | SameOriginErrors | ForwardedErrors | NamedErrors | WithBodyErrors | ConditionalErrors
  >;
  /**
   * Add up to 1,000 Examples at once: `POST /v1/projects/:projectId/datasets/:datasetId/examples/batch`.
   */
  createMany(
    datasetId: string,
    body: Api.CreateExamplesData['body'],
    params?: Params<Api.CreateExamplesData>,
  ): ApiCall<
    Api.CreateExamplesResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | WithBodyErrors
    | IdempotentErrors
    | 'CONFLICT'
    | 'QUOTA_EXCEEDED'
  >;
  /**
   * Tag or delete up to 500 Examples at once: `POST /v1/projects/:projectId/datasets/:datasetId/examples/bulk-updates`.
   */
  updateMany(
    datasetId: string,
    body: Api.UpdateExamplesData['body'],
    params?: Params<Api.UpdateExamplesData>,
  ): ApiCall<
    Api.UpdateExamplesResponse,
    AnyErrors | IdentifiedErrors | SameOriginErrors | ForwardedErrors | NamedErrors | WithBodyErrors | IdempotentErrors
  >;
  /**
   * Count the Examples as they are now, with the filters of the list: `GET /v1/projects/:projectId/datasets/:datasetId/examples/counts`.
   */
  count(
    datasetId: string,
    params?: Params<Api.CountExamplesData>,
  ): ApiCall<Api.CountExamplesResponse, AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors>;
}

export interface AnalysisRunsMethods {
  /**
   * List the Analysis Runs by the snapshot that they are on, newest first: `GET /v1/projects/:projectId/diagnostics/analysis-runs`.
   */
  list(
    params?: Params<Api.ListAnalysisRunsData>,
  ): PageCall<
    Api.ListAnalysisRunsResponse,
    ItemOf<Api.ListAnalysisRunsResponse, 'analysisRuns'>,
    AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors | 'DIAGNOSTIC_RULES_UNAVAILABLE'
  >;
  /**
   * Queue the enabled Rules for one conversation snapshot: `POST /v1/projects/:projectId/diagnostics/analysis-runs`.
   */
  create(
    body: Api.CreateAnalysisRunsData['body'],
    params?: Params<Api.CreateAnalysisRunsData>,
  ): ApiCall<
    Api.CreateAnalysisRunsResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | WithBodyErrors
    | 'CONVERSATION_NOT_FOUND'
    | 'DIAGNOSTIC_RULES_UNAVAILABLE'
  >;
  /**
   * Read the Analysis Runs on one snapshot: `GET /v1/projects/:projectId/diagnostics/analysis-runs/:analysisId`.
   */
  get(
    analysisId: string,
    params?: Params<Api.GetAnalysisRunsData>,
  ): ApiCall<
    Api.GetAnalysisRunsResponse,
    AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors | 'DIAGNOSTIC_RULES_UNAVAILABLE'
  >;
  /** Waits until that has ended: completed, failed. */
  wait(analysisId: string, options?: WaitOptions<Api.GetAnalysisRunsResponse>): Promise<Api.GetAnalysisRunsResponse>;
}

export interface RulesMethods {
  /**
   * List the built-in Rules with their configuration, by key: `GET /v1/projects/:projectId/diagnostics/rules`.
   */
  list(
    params?: Params<Api.ListRulesData>,
  ): PageCall<
    Api.ListRulesResponse,
    ItemOf<Api.ListRulesResponse, 'rules'>,
    AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors | 'DIAGNOSTIC_RULES_UNAVAILABLE'
  >;
  /**
   * Read one built-in Rule with its configuration: `GET /v1/projects/:projectId/diagnostics/rules/:ruleId`.
   */
  get(
    ruleId: string,
    params?: Params<Api.GetRuleData>,
  ): ApiCall<
    Api.GetRuleResponse,
    | AnyErrors
    | IdentifiedErrors
    | ForwardedErrors
    | NamedErrors
    | 'DIAGNOSTIC_RULE_NOT_FOUND'
    | 'DIAGNOSTIC_RULES_UNAVAILABLE'
  >;
  /**
   * Switch a built-in Rule on or off, or change its configuration: `PATCH /v1/projects/:projectId/diagnostics/rules/:ruleId`.
   */
  update(
    ruleId: string,
    body: Api.UpdateRuleData['body'],
    params?: Params<Api.UpdateRuleData>,
  ): ApiCall<
    Api.UpdateRuleResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | WithBodyErrors
    | 'DIAGNOSTIC_RULE_NOT_FOUND'
    | 'DIAGNOSTIC_RULES_UNAVAILABLE'
  >;
  readonly backfills: RulesBackfillsMethods;
}

export interface RulesBackfillsMethods {
  /**
   * List the backfills of all Rules, newest first: `GET /v1/projects/:projectId/diagnostics/backfill-requests`.
   */
  list(
    params?: Params<Api.ListRuleBackfillsData>,
  ): PageCall<
    Api.ListRuleBackfillsResponse,
    ItemOf<Api.ListRuleBackfillsResponse, 'backfills'>,
    AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors | 'DIAGNOSTIC_RULES_UNAVAILABLE'
  >;
  /**
   * End a backfill of a Rule; Runs that are queued already stay: `POST /v1/projects/:projectId/diagnostics/backfill-requests/:backfillId/cancel`.
   */
  cancel(
    backfillId: string,
    params?: Params<Api.CancelRuleBackfillData>,
  ): ApiCall<
    Api.CancelRuleBackfillResponse,
    AnyErrors | IdentifiedErrors | SameOriginErrors | ForwardedErrors | NamedErrors | 'DIAGNOSTIC_RULES_UNAVAILABLE'
  >;
  /**
   * Run one Rule on the conversations of a time window: `POST /v1/projects/:projectId/diagnostics/rules/:ruleId/backfill-requests`.
   */
  create(
    ruleId: string,
    body: Api.CreateRuleBackfillData['body'],
    params?: Params<Api.CreateRuleBackfillData>,
  ): ApiCall<
    Api.CreateRuleBackfillResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | WithBodyErrors
    | NamedByKeyErrors
    | 'DIAGNOSTIC_RULE_NOT_FOUND'
    | 'CONFLICT'
    | 'DIAGNOSTIC_RULES_UNAVAILABLE'
  >;
  /**
   * Read how far a backfill of a Rule has come: `GET /v1/projects/:projectId/diagnostics/rules/:ruleId/backfill-requests/:backfillId`.
   */
  get(
    ruleId: string,
    backfillId: string,
    params?: Params<Api.GetRuleBackfillData>,
  ): ApiCall<
    Api.GetRuleBackfillResponse,
    | AnyErrors
    | IdentifiedErrors
    | ForwardedErrors
    | NamedErrors
    | 'DIAGNOSTIC_RULE_NOT_FOUND'
    | 'DIAGNOSTIC_RULES_UNAVAILABLE'
  >;
  /** Waits until that has ended: completed, cancelled, failed. */
  wait(
    ruleId: string,
    backfillId: string,
    options?: WaitOptions<Api.GetRuleBackfillResponse>,
  ): Promise<Api.GetRuleBackfillResponse>;
}

export interface ConnectorsMethods {
  /**
   * List the connectors to issue trackers, newest first: `GET /v1/projects/:projectId/diagnostics/connectors`.
   */
  list(
    params?: Params<Api.ListConnectorsData>,
  ): PageCall<
    Api.ListConnectorsResponse,
    ItemOf<Api.ListConnectorsResponse, 'connectors'>,
    AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors | 'FINDING_WORK_ITEMS_UNAVAILABLE'
  >;
  /**
   * Connect an issue tracker: `POST /v1/projects/:projectId/diagnostics/connectors`.
   */
  create(
    body: Api.CreateConnectorData['body'],
    params?: Params<Api.CreateConnectorData>,
  ): ApiCall<
    Api.CreateConnectorResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | WithBodyErrors
    | IdempotentErrors
    | 'OUTBOUND_REFUSED'
    | 'TOO_MANY_CONNECTORS'
    | 'FINDING_WORK_ITEMS_UNAVAILABLE'
  >;
  /**
   * Remove a connector with its credentials; safe to repeat: `DELETE /v1/projects/:projectId/diagnostics/connectors/:connectorId`. Takes `ifMatch`.
   */
  delete(
    connectorId: string,
    params?: Params<Api.DeleteConnectorData>,
  ): ApiCall<
    Api.DeleteConnectorResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | ConditionalErrors
    | 'CONNECTOR_NOT_FOUND'
    | 'FINDING_WORK_ITEMS_UNAVAILABLE'
  >;
  /**
   * Read one connector: `GET /v1/projects/:projectId/diagnostics/connectors/:connectorId`.
   */
  get(
    connectorId: string,
    params?: Params<Api.GetConnectorData>,
  ): ApiCall<
    Api.GetConnectorResponse,
    | AnyErrors
    | IdentifiedErrors
    | ForwardedErrors
    | NamedErrors
    | 'CONNECTOR_NOT_FOUND'
    | 'FINDING_WORK_ITEMS_UNAVAILABLE'
  >;
  /**
   * Change a connector, rotate its credentials, or switch it on or off: `PATCH /v1/projects/:projectId/diagnostics/connectors/:connectorId`. Takes `ifMatch`.
   */
  update(
    connectorId: string,
    body: Api.UpdateConnectorData['body'],
    params?: Params<Api.UpdateConnectorData>,
  ): ApiCall<
    Api.UpdateConnectorResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | WithBodyErrors
    | ConditionalErrors
    | 'OUTBOUND_REFUSED'
    | 'CONNECTOR_NOT_FOUND'
    | 'FINDING_WORK_ITEMS_UNAVAILABLE'
  >;
  /**
   * Ask the provider whether credentials, address and default destination work: `POST /v1/projects/:projectId/diagnostics/connectors/:connectorId/test`.
   */
  test(
    connectorId: string,
    params?: Params<Api.TestConnectorData>,
  ): ApiCall<
    Api.TestConnectorResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | 'CONNECTOR_NOT_FOUND'
    | 'FINDING_WORK_ITEMS_UNAVAILABLE'
  >;
}

export interface ExpectationsMethods {
  /**
   * List Expectations, newest first: `GET /v1/projects/:projectId/diagnostics/expectations`.
   */
  list(
    params?: Params<Api.ListExpectationsData>,
  ): PageCall<
    Api.ListExpectationsResponse,
    ItemOf<Api.ListExpectationsResponse, 'expectations'>,
    AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors | 'DIAGNOSTIC_RULES_UNAVAILABLE'
  >;
  /**
   * Say what an agent is expected to do; every conversation is checked for it from then on: `POST /v1/projects/:projectId/diagnostics/expectations`.
   */
  create(
    body: Api.CreateExpectationData['body'],
    params?: Params<Api.CreateExpectationData>,
  ): ApiCall<
    Api.CreateExpectationResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | WithBodyErrors
    | IdempotentErrors
    | 'TOO_MANY_EXPECTATIONS'
    | 'DIAGNOSTIC_RULES_UNAVAILABLE'
  >;
  /**
   * Delete an Expectation, and withdraw it from the conversations that showed it: `DELETE /v1/projects/:projectId/diagnostics/expectations/:expectationId`. Takes `ifMatch`.
   */
  delete(
    expectationId: string,
    params?: Params<Api.DeleteExpectationData>,
  ): ApiCall<
    Api.DeleteExpectationResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | ConditionalErrors
    | 'EXPECTATION_NOT_FOUND'
    | 'DIAGNOSTIC_RULES_UNAVAILABLE'
  >;
  /**
   * Read one Expectation: `GET /v1/projects/:projectId/diagnostics/expectations/:expectationId`.
   */
  get(
    expectationId: string,
    params?: Params<Api.GetExpectationData>,
  ): ApiCall<
    Api.GetExpectationResponse,
    | AnyErrors
    | IdentifiedErrors
    | ForwardedErrors
    | NamedErrors
    | 'EXPECTATION_NOT_FOUND'
    | 'DIAGNOSTIC_RULES_UNAVAILABLE'
  >;
  /**
   * Change an Expectation, or switch it on or off: `PATCH /v1/projects/:projectId/diagnostics/expectations/:expectationId`. Takes `ifMatch`.
   */
  update(
    expectationId: string,
    body: Api.UpdateExpectationData['body'],
    params?: Params<Api.UpdateExpectationData>,
  ): ApiCall<
    Api.UpdateExpectationResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | WithBodyErrors
    | ConditionalErrors
    | 'EXPECTATION_NOT_FOUND'
    | 'TOO_MANY_EXPECTATIONS'
    | 'DIAGNOSTIC_RULES_UNAVAILABLE'
  >;
  /**
   * Try an Expectation on the latest conversations, without making anything: `POST /v1/projects/:projectId/diagnostics/expectations/:expectationId/check`.
   */
  check(
    expectationId: string,
    params?: Params<Api.CheckExpectationData>,
  ): ApiCall<
    Api.CheckExpectationResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | 'EXPECTATION_NOT_FOUND'
    | 'DIAGNOSTIC_RULES_UNAVAILABLE'
  >;
}

export interface DiagnosticsMethods {
  /**
   * Estimate the share of failed conversations, with its 95% interval: `GET /v1/projects/:projectId/diagnostics/failure-rate`.
   */
  failureRate(
    params: Params<Api.GetFailureRateData>,
  ): ApiCall<Api.GetFailureRateResponse, AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors>;
  /**
   * List how many conversations were read a day, and what that cost, newest first: `GET /v1/projects/:projectId/diagnostics/review-days`.
   */
  reviewDays(
    params?: Params<Api.ListReviewDaysData>,
  ): PageCall<
    Api.ListReviewDaysResponse,
    ItemOf<Api.ListReviewDaysResponse, 'days'>,
    AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors
  >;
  /**
   * List the conversations that a model has read, the latest first: `GET /v1/projects/:projectId/diagnostics/reviews`.
   */
  reviews(
    params?: Params<Api.ListReviewsData>,
  ): PageCall<
    Api.ListReviewsResponse,
    ItemOf<Api.ListReviewsResponse, 'reviews'>,
    AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors
  >;
  /**
   * Read how the Rules' scores are brought in line with the project's own outcomes: `GET /v1/projects/:projectId/diagnostics/score-calibration`.
   */
  scoreCalibration(
    params?: Params<Api.GetScoreCalibrationData>,
  ): ApiCall<Api.GetScoreCalibrationResponse, AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors>;
  readonly settings: DiagnosticsSettingsMethods;
}

export interface DiagnosticsSettingsMethods {
  /**
   * Read the diagnostic settings: `GET /v1/projects/:projectId/diagnostics/settings`.
   */
  get(
    params?: Params<Api.GetDiagnosticSettingsData>,
  ): ApiCall<Api.GetDiagnosticSettingsResponse, AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors>;
  /**
   * Change what runs by itself, what models may judge and read, and what verifies a repair: `PATCH /v1/projects/:projectId/diagnostics/settings`.
   */
  update(
    body: Api.UpdateDiagnosticSettingsData['body'],
    params?: Params<Api.UpdateDiagnosticSettingsData>,
  ): ApiCall<
    Api.UpdateDiagnosticSettingsResponse,
    AnyErrors | IdentifiedErrors | SameOriginErrors | ForwardedErrors | NamedErrors | WithBodyErrors
  >;
}

export interface FindingsMethods {
  /**
   * List Finding clusters, last detected first: `GET /v1/projects/:projectId/diagnostics/findings`.
   */
  list(
    params?: Params<Api.ListFindingsData>,
  ): PageCall<
    Api.ListFindingsResponse,
    ItemOf<Api.ListFindingsResponse, 'findings'>,
    AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors
  >;
  /**
   * Read one Finding: `GET /v1/projects/:projectId/diagnostics/findings/:findingId`.
   */
  get(
    findingId: string,
    params?: Params<Api.GetFindingData>,
  ): ApiCall<
    Api.GetFindingResponse,
    AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors | 'FINDING_NOT_FOUND'
  >;
  /**
   * Set the review status or the resolution status of a Finding: `PATCH /v1/projects/:projectId/diagnostics/findings/:findingId`. Takes `ifMatch`.
   */
  update(
    findingId: string,
    body: Api.UpdateFindingData['body'],
    params?: Params<Api.UpdateFindingData>,
  ): ApiCall<
    Api.UpdateFindingResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | WithBodyErrors
    | ConditionalErrors
    | 'FINDING_NOT_FOUND'
    | 'FINDING_MERGED'
    | 'ACTIVE_WORK_ITEM'
    | 'WORK_ITEM_NOT_DONE'
  >;
  /**
   * Say who is to look after a Finding; null for nobody: `PUT /v1/projects/:projectId/diagnostics/findings/:findingId/assignee`. Takes `ifMatch`.
   */
  assign(
    findingId: string,
    body: Api.AssignFindingData['body'],
    params?: Params<Api.AssignFindingData>,
  ): ApiCall<
    Api.AssignFindingResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | WithBodyErrors
    | ConditionalErrors
    | 'FINDING_NOT_FOUND'
    | 'FINDING_MERGED'
  >;
  /**
   * Comment on a Finding: `POST /v1/projects/:projectId/diagnostics/findings/:findingId/comments`.
   */
  comment(
    findingId: string,
    body: Api.CommentOnFindingData['body'],
    params?: Params<Api.CommentOnFindingData>,
  ): ApiCall<
    Api.CommentOnFindingResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | WithBodyErrors
    | IdempotentErrors
    | 'FINDING_NOT_FOUND'
  >;
  /**
   * Merge a Finding into another one: `POST /v1/projects/:projectId/diagnostics/findings/:findingId/merge`. Takes `ifMatch`.
   */
  merge(
    findingId: string,
    body: Api.MergeFindingData['body'],
    params?: Params<Api.MergeFindingData>,
  ): ApiCall<
    Api.MergeFindingResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | WithBodyErrors
    | ConditionalErrors
    | 'FINDING_NOT_FOUND'
    | 'FINDING_MERGED'
    | 'CONFLICT'
  >;
  /**
   * Put a Finding off until a moment, or until so many more conversations show it; null ends that: `PUT /v1/projects/:projectId/diagnostics/findings/:findingId/snooze`. Takes `ifMatch`.
   */
  snooze(
    findingId: string,
    body: Api.SnoozeFindingData['body'],
    params?: Params<Api.SnoozeFindingData>,
  ): ApiCall<
    Api.SnoozeFindingResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | WithBodyErrors
    | ConditionalErrors
    | 'FINDING_NOT_FOUND'
    | 'FINDING_MERGED'
  >;
  /**
   * Give some conversations of a Finding one of their own: `POST /v1/projects/:projectId/diagnostics/findings/:findingId/split`. Takes `ifMatch`.
   */
  split(
    findingId: string,
    body: Api.SplitFindingData['body'],
    params?: Params<Api.SplitFindingData>,
  ): ApiCall<
    Api.SplitFindingResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | WithBodyErrors
    | IdempotentErrors
    | ConditionalErrors
    | 'FINDING_NOT_FOUND'
    | 'CONFLICT'
  >;
  /**
   * Take a Finding out of the one that it was merged into: `POST /v1/projects/:projectId/diagnostics/findings/:findingId/unmerge`. Takes `ifMatch`.
   */
  unmerge(
    findingId: string,
    params?: Params<Api.UnmergeFindingData>,
  ): ApiCall<
    Api.UnmergeFindingResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | ConditionalErrors
    | 'FINDING_NOT_FOUND'
    | 'CONFLICT'
  >;
  /**
   * Change up to 100 Findings in one way: `POST /v1/projects/:projectId/diagnostics/findings/bulk-updates`.
   */
  updateMany(
    body: Api.UpdateFindingsData['body'],
    params?: Params<Api.UpdateFindingsData>,
  ): ApiCall<
    Api.UpdateFindingsResponse,
    AnyErrors | IdentifiedErrors | SameOriginErrors | ForwardedErrors | NamedErrors | WithBodyErrors
  >;
  /**
   * Count the Findings of a list, in total and by the values of fields: `GET /v1/projects/:projectId/diagnostics/findings/counts`.
   */
  count(
    params?: Params<Api.CountFindingsData>,
  ): ApiCall<Api.CountFindingsResponse, AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors>;
  /**
   * Analyse the latest snapshot of one conversation, by all enabled Rules: `POST /v1/projects/:projectId/diagnostics/findings/discover`.
   */
  discover(
    body?: Api.DiscoverFindingsData['body'],
    params?: Params<Api.DiscoverFindingsData>,
  ): ApiCall<
    Api.DiscoverFindingsResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | WithBodyErrors
    | 'DISCOVERY_CONVERSATION_NOT_FOUND'
    | 'DISCOVERY_CONVERSATION_NOT_READY'
    | 'DIAGNOSTIC_RULES_UNAVAILABLE'
  >;
  /**
   * Read how many problems conversations showed over time, by when the conversations started: `GET /v1/projects/:projectId/diagnostics/findings/series`.
   */
  series(
    params: Params<Api.ReadFindingSeriesData>,
  ): ApiCall<Api.ReadFindingSeriesResponse, AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors>;
  readonly activity: FindingsActivityMethods;
  readonly occurrences: FindingsOccurrencesMethods;
}

export interface FindingsActivityMethods {
  /**
   * List what was done to a Finding and said of it, newest first: `GET /v1/projects/:projectId/diagnostics/findings/:findingId/activity`.
   */
  list(
    findingId: string,
    params?: Params<Api.ListFindingActivityData>,
  ): PageCall<
    Api.ListFindingActivityResponse,
    ItemOf<Api.ListFindingActivityResponse, 'activity'>,
    AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors | 'FINDING_NOT_FOUND'
  >;
  /**
   * Read one entry of the activity of a Finding: `GET /v1/projects/:projectId/diagnostics/findings/:findingId/activity/:activityId`.
   */
  get(
    findingId: string,
    activityId: string,
    params?: Params<Api.GetFindingActivityData>,
  ): ApiCall<
    Api.GetFindingActivityResponse,
    AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors | 'FINDING_NOT_FOUND'
  >;
}

export interface FindingsOccurrencesMethods {
  /**
   * Count the conversations that show a Finding, by when they started: `GET /v1/projects/:projectId/diagnostics/findings/:findingId/occurrence-counts`.
   */
  count(
    findingId: string,
    params: Params<Api.CountFindingOccurrencesData>,
  ): ApiCall<
    Api.CountFindingOccurrencesResponse,
    AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors | 'FINDING_NOT_FOUND'
  >;
  /**
   * List the conversations that show a Finding, the one that was found last first: `GET /v1/projects/:projectId/diagnostics/findings/:findingId/occurrences`.
   */
  list(
    findingId: string,
    params?: Params<Api.ListFindingOccurrencesData>,
  ): PageCall<
    Api.ListFindingOccurrencesResponse,
    ItemOf<Api.ListFindingOccurrencesResponse, 'occurrences'>,
    AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors | 'FINDING_NOT_FOUND'
  >;
}

export interface WorkItemsMethods {
  /**
   * List the work items of a Finding, newest first: `GET /v1/projects/:projectId/diagnostics/findings/:findingId/work-items`.
   */
  listOfFinding(
    findingId: string,
    params?: Params<Api.ListWorkItemsData>,
  ): PageCall<
    Api.ListWorkItemsResponse,
    ItemOf<Api.ListWorkItemsResponse, 'workItems'>,
    | AnyErrors
    | IdentifiedErrors
    | ForwardedErrors
    | NamedErrors
    | 'FINDING_NOT_FOUND'
    | 'FINDING_WORK_ITEMS_UNAVAILABLE'
  >;
  /**
   * Hand the repair of a Finding over to an issue tracker, which confirms the Finding: `POST /v1/projects/:projectId/diagnostics/findings/:findingId/work-items`.
   */
  create(
    findingId: string,
    body: Api.CreateWorkItemData['body'],
    params?: Params<Api.CreateWorkItemData>,
  ): ApiCall<
    Api.CreateWorkItemResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | WithBodyErrors
    | IdempotentErrors
    | 'FINDING_NOT_FOUND'
    | 'FINDING_MERGED'
    | 'FINDING_DISMISSED'
    | 'WORK_ITEM_ALREADY_EXISTS'
    | 'WORK_ITEM_PROVIDER_UNAVAILABLE'
    | 'FINDING_WORK_ITEMS_UNAVAILABLE'
  >;
  /**
   * Read one work item: `GET /v1/projects/:projectId/diagnostics/findings/:findingId/work-items/:workItemId`.
   */
  get(
    findingId: string,
    workItemId: string,
    params?: Params<Api.GetWorkItemData>,
  ): ApiCall<
    Api.GetWorkItemResponse,
    | AnyErrors
    | IdentifiedErrors
    | ForwardedErrors
    | NamedErrors
    | 'FINDING_NOT_FOUND'
    | 'FINDING_WORK_ITEMS_UNAVAILABLE'
  >;
  /**
   * Detach a work item from its Finding; the issue stays as it is: `POST /v1/projects/:projectId/diagnostics/findings/:findingId/work-items/:workItemId/abandon`.
   */
  abandon(
    findingId: string,
    workItemId: string,
    params?: Params<Api.AbandonWorkItemData>,
  ): ApiCall<
    Api.AbandonWorkItemResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | 'FINDING_NOT_FOUND'
    | 'WORK_ITEM_NOT_CURRENT'
    | 'FINDING_WORK_ITEMS_UNAVAILABLE'
  >;
  /**
   * Replace a work item with a new one at another provider or destination: `POST /v1/projects/:projectId/diagnostics/findings/:findingId/work-items/:workItemId/replacements`.
   */
  replace(
    findingId: string,
    workItemId: string,
    body: Api.ReplaceWorkItemData['body'],
    params?: Params<Api.ReplaceWorkItemData>,
  ): ApiCall<
    Api.ReplaceWorkItemResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | WithBodyErrors
    | IdempotentErrors
    | 'FINDING_NOT_FOUND'
    | 'FINDING_MERGED'
    | 'FINDING_DISMISSED'
    | 'WORK_ITEM_NOT_CURRENT'
    | 'WORK_ITEM_PROVIDER_UNAVAILABLE'
    | 'FINDING_WORK_ITEMS_UNAVAILABLE'
  >;
  /**
   * Try again to make the issue of a work item whose provisioning failed: `POST /v1/projects/:projectId/diagnostics/findings/:findingId/work-items/:workItemId/retry`.
   */
  retry(
    findingId: string,
    workItemId: string,
    params?: Params<Api.RetryWorkItemData>,
  ): ApiCall<
    Api.RetryWorkItemResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | 'FINDING_NOT_FOUND'
    | 'WORK_ITEM_NOT_CURRENT'
    | 'WORK_ITEM_NOT_RETRYABLE'
    | 'WORK_ITEM_PROVIDER_UNAVAILABLE'
    | 'FINDING_WORK_ITEMS_UNAVAILABLE'
  >;
  /**
   * Take over the state of the issue from the provider: `POST /v1/projects/:projectId/diagnostics/findings/:findingId/work-items/:workItemId/sync`.
   */
  sync(
    findingId: string,
    workItemId: string,
    params?: Params<Api.SyncWorkItemData>,
  ): ApiCall<
    Api.SyncWorkItemResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | 'FINDING_NOT_FOUND'
    | 'WORK_ITEM_NOT_CURRENT'
    | 'WORK_ITEM_PROVIDER_UNAVAILABLE'
    | 'FINDING_WORK_ITEMS_UNAVAILABLE'
  >;
  /**
   * List the work items of a project, newest first: `GET /v1/projects/:projectId/diagnostics/work-items`.
   */
  list(
    params?: Params<Api.ListProjectWorkItemsData>,
  ): PageCall<
    Api.ListProjectWorkItemsResponse,
    ItemOf<Api.ListProjectWorkItemsResponse, 'workItems'>,
    AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors | 'FINDING_WORK_ITEMS_UNAVAILABLE'
  >;
}

export interface ErasuresMethods {
  /**
   * List erasures, the one that was asked for last first: `GET /v1/projects/:projectId/erasures`.
   */
  list(
    params?: Params<Api.ListErasuresData>,
  ): PageCall<
    Api.ListErasuresResponse,
    ItemOf<Api.ListErasuresResponse, 'erasures'>,
    AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors
  >;
  /**
   * Read how far an erasure has come, and what it removed: `GET /v1/projects/:projectId/erasures/:erasureId`.
   */
  get(
    erasureId: string,
    params?: Params<Api.GetErasureData>,
  ): ApiCall<Api.GetErasureResponse, AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors>;
  /** Waits until that has ended: completed. */
  wait(erasureId: string, options?: WaitOptions<Api.GetErasureResponse>): Promise<Api.GetErasureResponse>;
}

export interface EventsMethods {
  /**
   * Hear which things of a project change, as server-sent events: `GET /v1/projects/:projectId/events`.
   */
  listen(
    params?: Params<Api.ListenToChangesData>,
  ): StreamCall<Api.ListenToChangesItem, AnyErrors | IdentifiedErrors | NamedErrors>;
}

export interface KnowledgeMethods {
  /**
   * Pack what answers a question into a text for the prompt of an agent: `POST /v1/projects/:projectId/knowledge/context`.
   */
  recall(
    body: Api.RecallKnowledgeData['body'],
    params?: Params<Api.RecallKnowledgeData>,
  ): ApiCall<
    Api.RecallKnowledgeResponse,
    AnyErrors | IdentifiedErrors | SameOriginErrors | ForwardedErrors | NamedErrors | WithBodyErrors
  >;
  /**
   * Search Knowledge by words and meaning, the best first: `GET /v1/projects/:projectId/knowledge/search`.
   */
  search(
    params: Params<Api.SearchKnowledgeData>,
  ): ApiCall<Api.SearchKnowledgeResponse, AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors>;
  /**
   * Erase the Knowledge about a person, an organisation or a product: `POST /v1/projects/:projectId/knowledge/subject-erasures`.
   */
  eraseSubject(
    body: Api.EraseKnowledgeSubjectData['body'],
    params?: Params<Api.EraseKnowledgeSubjectData>,
  ): ApiCall<
    Api.EraseKnowledgeSubjectResponse,
    AnyErrors | IdentifiedErrors | SameOriginErrors | ForwardedErrors | NamedErrors | WithBodyErrors
  >;
  readonly backfills: KnowledgeBackfillsMethods;
  readonly items: KnowledgeItemsMethods;
  readonly goals: KnowledgeGoalsMethods;
  readonly settings: KnowledgeSettingsMethods;
}

export interface KnowledgeBackfillsMethods {
  /**
   * List the backfills of all goals, newest first: `GET /v1/projects/:projectId/knowledge/backfills`.
   */
  list(
    params?: Params<Api.ListProjectBackfillsData>,
  ): PageCall<
    Api.ListProjectBackfillsResponse,
    ItemOf<Api.ListProjectBackfillsResponse, 'backfills'>,
    AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors
  >;
  /**
   * List the backfills of a goal, newest first: `GET /v1/projects/:projectId/knowledge/goals/:goalId/backfills`.
   */
  listOfGoal(
    goalId: string,
    params?: Params<Api.ListKnowledgeBackfillsData>,
  ): PageCall<
    Api.ListKnowledgeBackfillsResponse,
    ItemOf<Api.ListKnowledgeBackfillsResponse, 'backfills'>,
    AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors
  >;
  /**
   * Extract Knowledge for one goal from the conversations of a time window: `POST /v1/projects/:projectId/knowledge/goals/:goalId/backfills`.
   */
  create(
    goalId: string,
    body: Api.CreateKnowledgeBackfillData['body'],
    params?: Params<Api.CreateKnowledgeBackfillData>,
  ): ApiCall<
    Api.CreateKnowledgeBackfillResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | WithBodyErrors
    | NamedByKeyErrors
    | 'CONFLICT'
    | 'MODEL_UNAVAILABLE'
  >;
  /**
   * Read how far a backfill has come: `GET /v1/projects/:projectId/knowledge/goals/:goalId/backfills/:backfillId`.
   */
  get(
    goalId: string,
    backfillId: string,
    params?: Params<Api.GetKnowledgeBackfillData>,
  ): ApiCall<Api.GetKnowledgeBackfillResponse, AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors>;
  /** Waits until that has ended: completed, failed, cancelled. */
  wait(
    goalId: string,
    backfillId: string,
    options?: WaitOptions<Api.GetKnowledgeBackfillResponse>,
  ): Promise<Api.GetKnowledgeBackfillResponse>;
  /**
   * End a backfill; what it has found stays: `POST /v1/projects/:projectId/knowledge/goals/:goalId/backfills/:backfillId/cancel`.
   */
  cancel(
    goalId: string,
    backfillId: string,
    params?: Params<Api.CancelKnowledgeBackfillData>,
  ): ApiCall<
    Api.CancelKnowledgeBackfillResponse,
    AnyErrors | IdentifiedErrors | SameOriginErrors | ForwardedErrors | NamedErrors
  >;
}

export interface KnowledgeItemsMethods {
  /**
   * Stream Knowledge items with their evidence as JSONL, newest first: `GET /v1/projects/:projectId/knowledge/export`.
   */
  export(
    params?: Params<Api.ExportItemsData>,
  ): StreamCall<Api.ExportItemsItem, AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors>;
  /**
   * List Knowledge items, newest first: `GET /v1/projects/:projectId/knowledge/items`.
   */
  list(
    params?: Params<Api.ListItemsData>,
  ): PageCall<
    Api.ListItemsResponse,
    ItemOf<Api.ListItemsResponse, 'items'>,
    AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors
  >;
  /**
   * Write a Knowledge item: `POST /v1/projects/:projectId/knowledge/items`.
   */
  create(
    body: Api.CreateItemData['body'],
    params?: Params<Api.CreateItemData>,
  ): ApiCall<
    Api.CreateItemResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | WithBodyErrors
    | IdempotentErrors
    | 'CONFLICT'
    | 'CONVERSATION_NOT_FOUND'
    | 'CONVERSATION_NOT_READY'
  >;
  /**
   * Read a Knowledge item with its evidence: `GET /v1/projects/:projectId/knowledge/items/:itemId`.
   */
  get(
    itemId: string,
    params?: Params<Api.GetItemData>,
  ): ApiCall<Api.GetItemResponse, AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors>;
  /**
   * Review, change or archive a Knowledge item: `PATCH /v1/projects/:projectId/knowledge/items/:itemId`. Takes `ifMatch`.
   */
  update(
    itemId: string,
    body: Api.UpdateItemData['body'],
    params?: Params<Api.UpdateItemData>,
  ): ApiCall<
    Api.UpdateItemResponse,
    AnyErrors | IdentifiedErrors | SameOriginErrors | ForwardedErrors | NamedErrors | WithBodyErrors | ConditionalErrors
  >;
  /**
   * List what a Knowledge item was, the latest first: `GET /v1/projects/:projectId/knowledge/items/:itemId/revisions`.
   */
  revisions(
    itemId: string,
    params?: Params<Api.ListItemRevisionsData>,
  ): PageCall<
    Api.ListItemRevisionsResponse,
    ItemOf<Api.ListItemRevisionsResponse, 'revisions'>,
    AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors
  >;
  /**
   * Undo the last change of a Knowledge item: `POST /v1/projects/:projectId/knowledge/items/:itemId/undo`. Takes `ifMatch`.
   */
  undo(
    itemId: string,
    params?: Params<Api.UndoItemData>,
  ): ApiCall<
    Api.UndoItemResponse,
    AnyErrors | IdentifiedErrors | SameOriginErrors | ForwardedErrors | NamedErrors | ConditionalErrors | 'CONFLICT'
  >;
  /**
   * Change up to 100 Knowledge items in one way: `POST /v1/projects/:projectId/knowledge/items/bulk-updates`.
   */
  updateMany(
    body: Api.UpdateItemsData['body'],
    params?: Params<Api.UpdateItemsData>,
  ): ApiCall<
    Api.UpdateItemsResponse,
    AnyErrors | IdentifiedErrors | SameOriginErrors | ForwardedErrors | NamedErrors | WithBodyErrors | IdempotentErrors
  >;
  /**
   * Count Knowledge items, with the filters of the list: `GET /v1/projects/:projectId/knowledge/items/counts`.
   */
  count(
    params?: Params<Api.CountItemsData>,
  ): ApiCall<Api.CountItemsResponse, AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors>;
}

export interface KnowledgeGoalsMethods {
  /**
   * List Learning Goals, newest first: `GET /v1/projects/:projectId/knowledge/goals`.
   */
  list(
    params?: Params<Api.ListGoalsData>,
  ): PageCall<
    Api.ListGoalsResponse,
    ItemOf<Api.ListGoalsResponse, 'goals'>,
    AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors
  >;
  /**
   * Make a Learning Goal: `POST /v1/projects/:projectId/knowledge/goals`.
   */
  create(
    body: Api.CreateGoalData['body'],
    params?: Params<Api.CreateGoalData>,
  ): ApiCall<
    Api.CreateGoalResponse,
    AnyErrors | IdentifiedErrors | SameOriginErrors | ForwardedErrors | NamedErrors | WithBodyErrors | IdempotentErrors
  >;
  /**
   * Read a Learning Goal, with its counts and why it does not run: `GET /v1/projects/:projectId/knowledge/goals/:goalId`.
   */
  get(
    goalId: string,
    params?: Params<Api.GetGoalData>,
  ): ApiCall<Api.GetGoalResponse, AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors>;
  /**
   * Change a Learning Goal, pause, archive or activate it: `PATCH /v1/projects/:projectId/knowledge/goals/:goalId`. Takes `ifMatch`.
   */
  update(
    goalId: string,
    body: Api.UpdateGoalData['body'],
    params?: Params<Api.UpdateGoalData>,
  ): ApiCall<
    Api.UpdateGoalResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | WithBodyErrors
    | ConditionalErrors
    | 'CONFLICT'
  >;
}

export interface KnowledgeSettingsMethods {
  /**
   * Read the settings of Knowledge: `GET /v1/projects/:projectId/knowledge/settings`.
   */
  get(
    params?: Params<Api.GetKnowledgeSettingsData>,
  ): ApiCall<Api.GetKnowledgeSettingsResponse, AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors>;
  /**
   * Switch automatic extraction on or off for the whole project: `PATCH /v1/projects/:projectId/knowledge/settings`.
   */
  update(
    body: Api.UpdateKnowledgeSettingsData['body'],
    params?: Params<Api.UpdateKnowledgeSettingsData>,
  ): ApiCall<
    Api.UpdateKnowledgeSettingsResponse,
    AnyErrors | IdentifiedErrors | SameOriginErrors | ForwardedErrors | NamedErrors | WithBodyErrors
  >;
}

export interface MembersMethods {
  /**
   * List the members of a project, those that came to Clew last first: `GET /v1/projects/:projectId/members`.
   */
  list(
    params?: Params<Api.ListMembersData>,
  ): PageCall<
    Api.ListMembersResponse,
    ItemOf<Api.ListMembersResponse, 'members'>,
    AnyErrors | IdentifiedErrors | NamedErrors
  >;
  /**
   * Take a person out of the project; safe to repeat: `DELETE /v1/projects/:projectId/members/:userId`.
   */
  remove(
    userId: string,
    params?: Params<Api.RemoveMemberData>,
  ): ApiCall<
    Api.RemoveMemberResponse,
    AnyErrors | IdentifiedErrors | SameOriginErrors | NamedErrors | 'MEMBER_MANAGED'
  >;
  /**
   * Give a person of the workspace a role in the project, or another one: `PUT /v1/projects/:projectId/members/:userId`.
   */
  set(
    userId: string,
    body: Api.SetMemberData['body'],
    params?: Params<Api.SetMemberData>,
  ): ApiCall<
    Api.SetMemberResponse,
    AnyErrors | IdentifiedErrors | SameOriginErrors | NamedErrors | WithBodyErrors | 'MEMBER_MANAGED' | 'CONFLICT'
  >;
}

export interface ModelsMethods {
  /**
   * Read a model with its profiles: `GET /v1/projects/:projectId/models/:modelId`.
   */
  get(
    modelId: string,
    params?: Params<Api.GetModelData>,
  ): ApiCall<Api.GetModelResponse, AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors | 'MODEL_NOT_FOUND'>;
  /**
   * Read what the model hub says about a model: `GET /v1/projects/:projectId/models/:modelId/hub-details`.
   */
  hubDetails(
    modelId: string,
    params?: Params<Api.GetHubDetailsData>,
  ): ApiCall<
    Api.GetHubDetailsResponse,
    AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors | 'MODEL_NOT_FOUND'
  >;
  /**
   * Forward a request to the running service of a profile: `POST /v1/projects/:projectId/models/:modelId/profiles/:profileId/trials`.
   */
  trial(
    modelId: string,
    profileId: string,
    body: Api.RunModelTrialData['body'] | FormData,
    params?: Params<Api.RunModelTrialData>,
  ): EitherCall<
    Api.RunModelTrialResponse,
    unknown,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | WithBodyErrors
    | 'MODEL_NOT_FOUND'
    | 'PROFILE_NOT_FOUND'
    | 'SERVICE_NOT_RUNNING'
    | 'MODEL_RUNTIME_UNAVAILABLE'
  >;
  /**
   * Read what the runtime is doing for the project, with progress and logs: `GET /v1/projects/:projectId/models/activity`.
   */
  activity(
    params?: Params<Api.GetModelActivityData>,
  ): EitherCall<
    Api.GetModelActivityResponse,
    Api.GetModelActivityItem,
    AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors | 'MODEL_RUNTIME_UNAVAILABLE'
  >;
  /**
   * Whether a model can be used; probes it where nothing fresh is known: `GET /v1/projects/:projectId/models/availability`.
   */
  availability(
    params: Params<Api.GetModelAvailabilityData>,
  ): ApiCall<Api.GetModelAvailabilityResponse, AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors>;
  /**
   * Read a page of the catalog, with the runtime snapshot beside it: `GET /v1/projects/:projectId/models/catalog`.
   */
  list(
    params?: Params<Api.GetModelCatalogData>,
  ): PageCall<
    Api.GetModelCatalogResponse,
    ItemOf<Api.GetModelCatalogResponse, 'page.models'>,
    AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors
  >;
  /**
   * Refresh the catalog from the model hub: `POST /v1/projects/:projectId/models/catalog-refreshes`.
   */
  refreshCatalog(
    body?: Api.RefreshCatalogData['body'],
    params?: Params<Api.RefreshCatalogData>,
  ): ApiCall<
    Api.RefreshCatalogResponse,
    AnyErrors | IdentifiedErrors | SameOriginErrors | ForwardedErrors | NamedErrors | WithBodyErrors
  >;
  /**
   * Import one exact repository of the model hub: `POST /v1/projects/:projectId/models/imports/hub`.
   */
  import(
    body: Api.ImportFromHubData['body'],
    params?: Params<Api.ImportFromHubData>,
  ): ApiCall<
    Api.ImportFromHubResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | WithBodyErrors
    | IdempotentErrors
    | 'GATED_REPOSITORY'
    | 'MODEL_NOT_FOUND'
  >;
  /**
   * Read the runtime snapshot: node, engines, downloads, services: `GET /v1/projects/:projectId/models/runtime`.
   */
  runtime(
    params?: Params<Api.GetModelRuntimeData>,
  ): ApiCall<
    Api.GetModelRuntimeResponse,
    AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors | 'MODEL_RUNTIME_UNAVAILABLE'
  >;
  /**
   * List calls and tokens by day and model, newest first: `GET /v1/projects/:projectId/models/usage`.
   */
  usage(
    params?: Params<Api.ListModelUsageData>,
  ): PageCall<
    Api.ListModelUsageResponse,
    ItemOf<Api.ListModelUsageResponse, 'usage'>,
    AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors
  >;
  readonly profiles: ModelsProfilesMethods;
  readonly downloads: ModelsDownloadsMethods;
  readonly services: ModelsServicesMethods;
  readonly engines: ModelsEnginesMethods;
  readonly hubToken: ModelsHubTokenMethods;
  readonly settings: ModelsSettingsMethods;
}

export interface ModelsProfilesMethods {
  /**
   * Remove a profile: its service and its artifacts: `DELETE /v1/projects/:projectId/models/:modelId/profiles/:profileId`.
   */
  remove(
    modelId: string,
    profileId: string,
    params?: Params<Api.RemoveModelProfileData>,
  ): ApiCall<
    Api.RemoveModelProfileResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | 'MODEL_NOT_FOUND'
    | 'PROFILE_NOT_FOUND'
    | 'CONFLICT'
    | 'MODEL_RUNTIME_UNAVAILABLE'
  >;
  /**
   * Read a model with one of its profiles selected: `GET /v1/projects/:projectId/models/:modelId/profiles/:profileId`.
   */
  get(
    modelId: string,
    profileId: string,
    params?: Params<Api.GetModelProfileData>,
  ): ApiCall<
    Api.GetModelProfileResponse,
    AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors | 'MODEL_NOT_FOUND' | 'PROFILE_NOT_FOUND'
  >;
}

export interface ModelsDownloadsMethods {
  /**
   * Download the artifacts of a profile: `POST /v1/projects/:projectId/models/:modelId/profiles/:profileId/downloads`.
   */
  start(
    modelId: string,
    profileId: string,
    body?: Api.StartModelDownloadData['body'],
    params?: Params<Api.StartModelDownloadData>,
  ): ApiCall<
    Api.StartModelDownloadResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | WithBodyErrors
    | 'MODEL_NOT_FOUND'
    | 'PROFILE_NOT_FOUND'
    | 'INSUFFICIENT_DISK'
    | 'MODEL_RUNTIME_UNAVAILABLE'
  >;
  /**
   * Cancel or remove one download generation: `DELETE /v1/projects/:projectId/models/:modelId/profiles/:profileId/downloads/:generation`.
   */
  remove(
    modelId: string,
    profileId: string,
    generation: string | number,
    params?: Params<Api.RemoveModelDownloadData>,
  ): ApiCall<
    Api.RemoveModelDownloadResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | 'MODEL_NOT_FOUND'
    | 'PROFILE_NOT_FOUND'
    | 'CONFLICT'
    | 'GENERATION_SUPERSEDED'
    | 'MODEL_RUNTIME_UNAVAILABLE'
  >;
}

export interface ModelsServicesMethods {
  /**
   * Stop the local service of a profile: `DELETE /v1/projects/:projectId/models/:modelId/profiles/:profileId/service`.
   */
  stop(
    modelId: string,
    profileId: string,
    params?: Params<Api.StopModelServiceData>,
  ): ApiCall<
    Api.StopModelServiceResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | 'MODEL_NOT_FOUND'
    | 'PROFILE_NOT_FOUND'
    | 'MODEL_RUNTIME_UNAVAILABLE'
  >;
  /**
   * Start the local service of a profile: `PUT /v1/projects/:projectId/models/:modelId/profiles/:profileId/service`.
   */
  start(
    modelId: string,
    profileId: string,
    body?: Api.StartModelServiceData['body'],
    params?: Params<Api.StartModelServiceData>,
  ): ApiCall<
    Api.StartModelServiceResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | WithBodyErrors
    | 'MODEL_NOT_FOUND'
    | 'PROFILE_NOT_FOUND'
    | 'ENGINE_NOT_INSTALLED'
    | 'ARTIFACT_NOT_DOWNLOADED'
    | 'INSUFFICIENT_MEMORY'
    | 'CONFLICT'
    | 'MODEL_RUNTIME_UNAVAILABLE'
  >;
}

export interface ModelsEnginesMethods {
  /**
   * Remove an engine: `DELETE /v1/projects/:projectId/models/engines/:engine`.
   */
  remove(
    engine: string,
    params?: Params<Api.RemoveEngineData>,
  ): ApiCall<
    Api.RemoveEngineResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | 'ENGINE_NOT_FOUND'
    | 'CONFLICT'
    | 'MODEL_RUNTIME_UNAVAILABLE'
  >;
  /**
   * Install an engine: `POST /v1/projects/:projectId/models/engines/:engine/installations`.
   */
  install(
    engine: string,
    body?: Api.InstallEngineData['body'],
    params?: Params<Api.InstallEngineData>,
  ): ApiCall<
    Api.InstallEngineResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | WithBodyErrors
    | 'ENGINE_NOT_FOUND'
    | 'INSUFFICIENT_DISK'
    | 'MODEL_RUNTIME_UNAVAILABLE'
  >;
  /**
   * Cancel or remove one installation generation: `DELETE /v1/projects/:projectId/models/engines/:engine/installations/:generation`.
   */
  removeInstallation(
    engine: string,
    generation: string | number,
    params?: Params<Api.RemoveEngineInstallationData>,
  ): ApiCall<
    Api.RemoveEngineInstallationResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | 'ENGINE_NOT_FOUND'
    | 'CONFLICT'
    | 'GENERATION_SUPERSEDED'
    | 'MODEL_RUNTIME_UNAVAILABLE'
  >;
}

export interface ModelsHubTokenMethods {
  /**
   * Forget the project’s token for the model hub: `DELETE /v1/projects/:projectId/models/hub-token`.
   */
  delete(
    params?: Params<Api.DeleteHubTokenData>,
  ): ApiCall<
    Api.DeleteHubTokenResponse,
    AnyErrors | IdentifiedErrors | SameOriginErrors | ForwardedErrors | NamedErrors
  >;
  /**
   * Whether the project has a token for the model hub: `GET /v1/projects/:projectId/models/hub-token`.
   */
  get(
    params?: Params<Api.GetHubTokenData>,
  ): ApiCall<Api.GetHubTokenResponse, AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors>;
  /**
   * Set the token that opens gated repositories for the project: `PUT /v1/projects/:projectId/models/hub-token`.
   */
  set(
    body: Api.SetHubTokenData['body'],
    params?: Params<Api.SetHubTokenData>,
  ): ApiCall<
    Api.SetHubTokenResponse,
    AnyErrors | IdentifiedErrors | SameOriginErrors | ForwardedErrors | NamedErrors | WithBodyErrors
  >;
}

export interface ModelsSettingsMethods {
  /**
   * Read the default model and the budget of the project: `GET /v1/projects/:projectId/models/settings`.
   */
  get(
    params?: Params<Api.GetModelSettingsData>,
  ): ApiCall<Api.GetModelSettingsResponse, AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors>;
  /**
   * Change the default model or the budget: `PATCH /v1/projects/:projectId/models/settings`.
   */
  update(
    body: Api.UpdateModelSettingsData['body'],
    params?: Params<Api.UpdateModelSettingsData>,
  ): ApiCall<
    Api.UpdateModelSettingsResponse,
    AnyErrors | IdentifiedErrors | SameOriginErrors | ForwardedErrors | NamedErrors | WithBodyErrors
  >;
}

export interface ProvidersMethods {
  /**
   * List the providers, by name: `GET /v1/projects/:projectId/models/providers`.
   */
  list(
    params?: Params<Api.ListProvidersData>,
  ): PageCall<
    Api.ListProvidersResponse,
    ItemOf<Api.ListProvidersResponse, 'providers'>,
    AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors
  >;
  /**
   * Add an OpenAI-compatible provider: `POST /v1/projects/:projectId/models/providers`.
   */
  create(
    body: Api.CreateProviderData['body'],
    params?: Params<Api.CreateProviderData>,
  ): ApiCall<
    Api.CreateProviderResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | WithBodyErrors
    | IdempotentErrors
    | 'OUTBOUND_REFUSED'
    | 'PROVIDER_EXISTS'
  >;
  /**
   * Remove a provider; 409 PROVIDER_IN_USE while something names one of its models: `DELETE /v1/projects/:projectId/models/providers/:name`. Takes `ifMatch`.
   */
  delete(
    name: string,
    params?: Params<Api.DeleteProviderData>,
  ): ApiCall<
    Api.DeleteProviderResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | ConditionalErrors
    | 'PROVIDER_NOT_FOUND'
    | 'PROVIDER_IN_USE'
    | 'CONFLICT'
  >;
  /**
   * Read one provider: `GET /v1/projects/:projectId/models/providers/:name`.
   */
  get(
    name: string,
    params?: Params<Api.GetProviderData>,
  ): ApiCall<
    Api.GetProviderResponse,
    AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors | 'PROVIDER_NOT_FOUND'
  >;
  /**
   * Change the address, the key or the prices; `apiKey: null` removes the key: `PATCH /v1/projects/:projectId/models/providers/:name`. Takes `ifMatch`.
   */
  update(
    name: string,
    body: Api.UpdateProviderData['body'],
    params?: Params<Api.UpdateProviderData>,
  ): ApiCall<
    Api.UpdateProviderResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | WithBodyErrors
    | ConditionalErrors
    | 'OUTBOUND_REFUSED'
    | 'PROVIDER_NOT_FOUND'
    | 'CONFLICT'
  >;
  /**
   * Ask a provider for its models, to see whether address and key work: `POST /v1/projects/:projectId/models/providers/:name/test`.
   */
  test(
    name: string,
    params?: Params<Api.TestProviderData>,
  ): ApiCall<
    Api.TestProviderResponse,
    AnyErrors | IdentifiedErrors | SameOriginErrors | ForwardedErrors | NamedErrors | 'PROVIDER_NOT_FOUND'
  >;
}

export interface QuotasMethods {
  /**
   * Read the quotas of a project: `GET /v1/projects/:projectId/quotas`.
   */
  get(params?: Params<Api.GetQuotasData>): ApiCall<Api.GetQuotasResponse, AnyErrors | IdentifiedErrors | NamedErrors>;
  /**
   * Set the quotas of a project: `PUT /v1/projects/:projectId/quotas`. Takes `ifMatch`.
   */
  set(
    body: Api.SetQuotasData['body'],
    params?: Params<Api.SetQuotasData>,
  ): ApiCall<
    Api.SetQuotasResponse,
    AnyErrors | IdentifiedErrors | SameOriginErrors | NamedErrors | WithBodyErrors | ConditionalErrors
  >;
}

export interface TracesMethods {
  /**
   * Read the spans of one trace, by span id: `GET /v1/projects/:projectId/traces/:traceId`.
   */
  get(
    traceId: string,
    params?: Params<Api.GetTraceData>,
  ): PageCall<
    Api.GetTraceResponse,
    ItemOf<Api.GetTraceResponse, 'spans'>,
    AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors
  >;
}

export interface UsageMethods {
  /**
   * Read usage and cost of a project by day, model or key: `GET /v1/projects/:projectId/usage`.
   */
  ofProject(
    params: Params<Api.GetProjectUsageData>,
  ): ApiCall<Api.GetProjectUsageResponse, AnyErrors | IdentifiedErrors | NamedErrors>;
  /**
   * Read usage and cost over the projects of the caller by project or day: `GET /v1/usage`.
   */
  ofWorkspace(params: Params<Api.GetUsageData>): ApiCall<Api.GetUsageResponse, AnyErrors | IdentifiedErrors>;
}

export interface WebhooksMethods {
  /**
   * List the webhooks, newest first: `GET /v1/projects/:projectId/webhooks`.
   */
  list(
    params?: Params<Api.ListWebhooksData>,
  ): PageCall<
    Api.ListWebhooksResponse,
    ItemOf<Api.ListWebhooksResponse, 'webhooks'>,
    AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors
  >;
  /**
   * Have events of the project sent to a URL, a chat, or a mail address: `POST /v1/projects/:projectId/webhooks`.
   */
  create(
    body: Api.CreateWebhookData['body'],
    params?: Params<Api.CreateWebhookData>,
  ): ApiCall<
    Api.CreateWebhookResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | WithBodyErrors
    | 'OUTBOUND_REFUSED'
    | 'TOO_MANY_WEBHOOKS'
  >;
  /**
   * Delete a webhook with its deliveries: `DELETE /v1/projects/:projectId/webhooks/:webhookId`. Takes `ifMatch`.
   */
  delete(
    webhookId: string,
    params?: Params<Api.DeleteWebhookData>,
  ): ApiCall<
    Api.DeleteWebhookResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | ConditionalErrors
    | 'WEBHOOK_NOT_FOUND'
  >;
  /**
   * Read one webhook: `GET /v1/projects/:projectId/webhooks/:webhookId`.
   */
  get(
    webhookId: string,
    params?: Params<Api.GetWebhookData>,
  ): ApiCall<
    Api.GetWebhookResponse,
    AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors | 'WEBHOOK_NOT_FOUND'
  >;
  /**
   * Change a webhook, or enable or disable it: `PATCH /v1/projects/:projectId/webhooks/:webhookId`. Takes `ifMatch`.
   */
  update(
    webhookId: string,
    body: Api.UpdateWebhookData['body'],
    params?: Params<Api.UpdateWebhookData>,
  ): ApiCall<
    Api.UpdateWebhookResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | WithBodyErrors
    | ConditionalErrors
    | 'OUTBOUND_REFUSED'
    | 'WEBHOOK_NOT_FOUND'
  >;
  /**
   * Make a new secret; the old one stays valid beside it for the grace time: `POST /v1/projects/:projectId/webhooks/:webhookId/rotate`. Takes `ifMatch`.
   */
  rotateSecret(
    webhookId: string,
    body?: Api.RotateWebhookSecretData['body'],
    params?: Params<Api.RotateWebhookSecretData>,
  ): ApiCall<
    Api.RotateWebhookSecretResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | WithBodyErrors
    | ConditionalErrors
    | 'WEBHOOK_NOT_FOUND'
  >;
  /**
   * Send a `ping` now, also to a webhook that is disabled, and say what came back: `POST /v1/projects/:projectId/webhooks/:webhookId/test`.
   */
  test(
    webhookId: string,
    params?: Params<Api.TestWebhookData>,
  ): ApiCall<
    Api.TestWebhookResponse,
    AnyErrors | IdentifiedErrors | SameOriginErrors | ForwardedErrors | NamedErrors | 'WEBHOOK_NOT_FOUND'
  >;
  readonly deliveries: WebhooksDeliveriesMethods;
}

export interface WebhooksDeliveriesMethods {
  /**
   * List the deliveries of a webhook, newest first: `GET /v1/projects/:projectId/webhooks/:webhookId/deliveries`.
   */
  list(
    webhookId: string,
    params?: Params<Api.ListWebhookDeliveriesData>,
  ): PageCall<
    Api.ListWebhookDeliveriesResponse,
    ItemOf<Api.ListWebhookDeliveriesResponse, 'deliveries'>,
    AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors | 'WEBHOOK_NOT_FOUND'
  >;
  /**
   * Read one delivery, with its tries: `GET /v1/projects/:projectId/webhooks/:webhookId/deliveries/:deliveryId`.
   */
  get(
    webhookId: string,
    deliveryId: string,
    params?: Params<Api.GetWebhookDeliveryData>,
  ): ApiCall<
    Api.GetWebhookDeliveryResponse,
    AnyErrors | IdentifiedErrors | ForwardedErrors | NamedErrors | 'WEBHOOK_NOT_FOUND' | 'WEBHOOK_DELIVERY_NOT_FOUND'
  >;
  /**
   * Send an event once more, whatever came of it before: `POST /v1/projects/:projectId/webhooks/:webhookId/deliveries/:deliveryId/redeliver`.
   */
  redeliver(
    webhookId: string,
    deliveryId: string,
    params?: Params<Api.RedeliverWebhookData>,
  ): ApiCall<
    Api.RedeliverWebhookResponse,
    | AnyErrors
    | IdentifiedErrors
    | SameOriginErrors
    | ForwardedErrors
    | NamedErrors
    | 'WEBHOOK_NOT_FOUND'
    | 'WEBHOOK_DELIVERY_NOT_FOUND'
    | 'WEBHOOK_DISABLED'
  >;
}
