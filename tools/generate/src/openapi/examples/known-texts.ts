import { derivedId } from '@clew/kernel';

/** Prefix of an id in a pattern of `idPattern`, or in one like it. */
const ID_PATTERN = /^\^(?:\(\?:)?([a-z]+)[|a-z]*\)?_\[0-9A-/;

/** Prefixes of ids by what they name; those of everything else are in their patterns. */
const ID_PREFIXES: Readonly<Record<string, string>> = {
  activity: 'act',
  analysis: 'anl',
  apiKey: 'key',
  auditRecord: 'aud',
  backfill: 'kbfill',
  collectionDecision: 'cdec',
  connector: 'con',
  data: 'fnd',
  dataset: 'dst',
  decision: 'cdec',
  delivery: 'dlv',
  entry: 'act',
  event: 'evt',
  evidenceSnapshotRevision: 'cesr',
  example: 'ex',
  expectation: 'exp',
  exportedExample: 'ex',
  finding: 'fnd',
  into: 'fnd',
  findingActivity: 'act',
  goal: 'goal',
  item: 'kitm',
  knowledgeItem: 'kitm',
  learningGoal: 'goal',
  me: 'usr',
  mergedFinding: 'fnd',
  project: 'prj',
  request: 'req',
  revoked: 'key',
  rule: 'rule',
  score: 'scr',
  snapshot: 'cesr',
  target: 'key',
  user: 'usr',
  webhook: 'whk',
  webhookDelivery: 'dlv',
  webhookWithSecret: 'whk',
  workItem: 'wi',
  workspace: 'ws',
};
const PEOPLE = ['actorId', 'authorId', 'createdBy', 'owner', 'requestedById', 'assignee', 'auditActorId'];
const CONVERSATIONS = ['conversationId', 'conversationSummaryId', 'sourceConversationId'];
const HASHES = ['clusterFingerprint', 'contentHash', 'contentId', 'sha256'];
const MODELS = ['adjudicationModel', 'defaultModel', 'model', 'resolvedModel', 'reviewModel', 'wanted'];

/** Texts by the name of the member that holds them. */
const TEXTS: Readonly<Record<string, string>> = {
  ...among(PEOPLE, idOf('usr')),
  ...among(MODELS, 'openai/gpt-5-mini'),
  ...among(CONVERSATIONS, 'support-2041'),
  ...among(HASHES, '5f2c1f3ab0c7d94e8a6b3d2f1e0c9b8a7f6e5d4c3b2a190817263544536271a0'),
  ...among(['modelId', 'modelDetailId', 'catalogModelId'], 'smollm2-135m-instruct'),
  ...among(['profileId', 'modelProfileId'], 'smollm2-135m-instruct-q4'),
  account: 'ada',
  action: 'api-key.revoked',
  addTag: 'reviewed',
  address: '203.0.113.7',
  agent: 'support-agent',
  analysisRevision: '3',
  allow: 'support@example.com',
  amount: '12.5',
  answer: 'Billing does not answer. I will try again.',
  baseUrl: 'https://api.openai.com/v1',
  categoryKey: 'tool_use',
  content: 'Refunds above 100 EUR are approved by a team lead.',
  currency: 'USD',
  day: '2026-01-31',
  description: 'Conversations about cancelled orders',
  because: 'The agent reports success after a failed call',
  causeAssessment: 'The agent does not read the error of the tool',
  deviceCode: 'k3Zq0vX9mT2bN7cR5yL1wP8dS4fG6hJ0aQxEoUiVtBs',
  email: 'ada@example.com',
  error: 'Service Unavailable',
  externalId: '1042',
  externalKey: 'SHOP-42',
  externalUrl: 'https://tracker.example/issues/42',
  fingerprintVersion: 'v1',
  from: '2026-01-01',
  group: 'support',
  inputPerMillionTokens: '0.25',
  instruction: 'Learn how refunds are handled',
  ip: '203.0.113.7',
  keyword: 'refund',
  kind: 'api-key',
  license: 'apache-2.0',
  link: 'https://clew.example/invitations#k3Zq0vX9mT2bN7cR5yL1wP8dS4fG6hJ0aQxEoUiVtBs',
  log: 'downloaded 98 MB',
  message: 'The address service timed out',
  name: 'Support',
  newPassword: 'correct horse battery staple',
  nodeId: 'node-1',
  runtimeNodeId: 'node-1',
  outputPerMillionTokens: '2',
  owned_by: 'openai',
  password: 'correct horse battery staple',
  path: 'model.gguf',
  pattern: 'ORD-[0-9]{6}',
  pipelineTag: 'text-generation',
  preview: 'Cancel order 17.',
  providerId: 'acme',
  q: 'Who approves refunds?',
  quantization: 'Q4_K_M',
  quote: '503 from billing',
  reason: 'must not be empty',
  ref: 'evidence-1',
  remediationHint: 'Tell the user that the order is not cancelled yet.',
  queue: 'telemetry.spans',
  repo: 'https://huggingface.co/HuggingFaceTB/SmolLM2-135M-Instruct',
  revision: 'main',
  role: 'user',
  ruleKey: 'tool_error_unhandled',
  sourceTraceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  startTimeUnixNano: '1769850000000000000',
  endTimeUnixNano: '1769850001000000000',
  timeUnixNano: '1769850000500000000',
  repoId: 'HuggingFaceTB/SmolLM2-135M-Instruct',
  search: 'smollm2',
  secret: 'clew_live_k3Zq0vX9mT2bN7cR5yL1wP8dS4fG6hJ0aQxE',
  service: 'telemetry-ingest',
  signal: 'mongodb',
  start: 'clew_live_k3Zq',
  statement: 'Refunds above 100 EUR are approved by a team lead.',
  subject: 'billing',
  summary: 'cancel_order failed, and the agent told the user that the order is cancelled.',
  tag: 'reviewed',
  text: 'Cancel order 17.',
  title: 'Support reports success after an error of cancel_order',
  to: '2026-01-31',
  token: 'k3Zq0vX9mT2bN7cR5yL1wP8dS4fG6hJ0aQxEoUiVtBs',
  tool: 'cancel_order',
  type: 'chat',
  unknown: 'support-2042',
  url: 'https://hooks.example.com/clew',
  userAgent: 'Mozilla/5.0',
  userCode: 'WDJB-MJHT',
  userId: 'user-17',
  value: 'resolved',
  verificationUri: 'https://clew.example/device',
  verificationUriComplete: 'https://clew.example/device?code=WDJB-MJHT',
  version: '1.0.0',
  webhookPath: '/v1/webhooks/github',
};

const FORMATS: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T09:30:00Z',
  email: 'ada@example.com',
  uri: 'https://example.com/',
  binary: '(bytes of the file)',
};

/** Names of things, by what they are. */
const NAMES: Readonly<Record<string, string>> = {
  apiKey: 'Nightly report',
  catalogModel: 'SmolLM2 135M Instruct',
  connector: 'Shop on GitHub',
  dataset: 'Cancellations',
  device: 'Laptop of Ada',
  goal: 'Refunds',
  gpu: 'NVIDIA L4',
  learningGoal: 'Refunds',
  me: 'Ada Lovelace',
  member: 'Ada Lovelace',
  modelDetail: 'SmolLM2 135M Instruct',
  person: 'Ada Lovelace',
  project: 'Shop',
  provider: 'openai',
  rule: 'Unhandled tool errors',
  score: 'helpful',
  setup: 'Ada Lovelace',
  signal: 'tool_error',
  successScore: 'helpful',
  tool: 'cancel_order',
  toolDefinition: 'cancel_order',
  traceSpan: 'chat gpt-5-mini',
};

/** Switches that are usually off. */
export const FALSE_SWITCHES: readonly string[] = ['atLeast', 'gated', 'owner', 'setup', 'truncated'];

const OF_TROUBLE: readonly string[] = ['answer', 'error', 'message', 'reason', 'stopReason'];

/** Whether a value that may be null usually is: it tells of trouble, or when something ended. */
export function isOfTroubleOrLater(name: string): boolean {
  return OF_TROUBLE.includes(name) || /(?:At|Since|Until)$/.test(name);
}

/** Text that could stand in the member of this name, `<thing>.id` or `<thing>.name`; undefined where none is known. */
export function knownText(name: string, pattern = '', format = ''): string | undefined {
  const [thing = '', member] = name.split('.');
  const noun = member === 'id' ? thing : /^(\w+)Id$/.exec(name)?.[1];
  const [, prefix = ID_PREFIXES[noun ?? name]] = ID_PATTERN.exec(pattern) ?? [];
  if (prefix !== undefined) return idOf(prefix);
  if (member === 'name') return NAMES[thing] ?? TEXTS['name'];
  return TEXTS[member === 'id' ? `${thing}Id` : name] ?? FORMATS[format];
}

/** Id that begins like those of its kind. */
function idOf(prefix: string): string {
  return `${prefix}${derivedId('ex', prefix).slice('ex'.length)}`;
}

function among(names: readonly string[], text: string): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, text]));
}
