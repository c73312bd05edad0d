import type { RouteSpec } from '@clew/contracts';
import { derivedId, newId } from '@clew/kernel';

/** Well-formed value for each path parameter. */
const PARAMETERS: Readonly<Record<string, string>> = {
  activityId: 'nothing',
  analysisId: 'anl_nobody',
  backfillId: 'rbfill_nobody',
  connectorId: newId('con'),
  conversationId: 'nobody',
  datasetId: newId('dst'),
  deliveryId: derivedId('dlv', 'nobody'),
  engine: 'llama.cpp',
  erasureId: derivedId('ers', 'nobody'),
  exampleId: newId('ex'),
  expectationId: 'exp_nobody',
  findingId: 'fnd_nobody',
  generation: '1',
  goalId: newId('goal'),
  invitationId: newId('inv'),
  itemId: newId('kitm'),
  keyId: newId('key'),
  kind: 'objective',
  modelId: 'none',
  name: 'none',
  personId: newId('usr'),
  profileId: 'none',
  projectErasureId: derivedId('pers', 'nobody'),
  provider: 'github',
  referrerId: 'nobody',
  ruleId: 'rule_nobody',
  sessionId: newId('ses'),
  snapshotId: 'nobody',
  token: 'x'.repeat(43),
  traceId: '0'.repeat(32),
  userId: newId('usr'),
  webhookId: newId('whk'),
  workItemId: newId('wi'),
};

/** Path of a route with well-formed ids of nothing, in that project. */
export function pathFor({ path }: Pick<RouteSpec, 'path'>, projectId: string): string {
  const values: Readonly<Record<string, string>> = { ...PARAMETERS, projectId };
  return path.replace(/:(\w+)/g, (_match, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`No value is known for :${name}`);
    return value;
  });
}
