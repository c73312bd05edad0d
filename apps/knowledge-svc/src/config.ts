import { z } from 'zod';
import { databaseVariables } from '@clew/host';
import { brokerVariables, identityVerifierVariables, processVariables, secretVariables } from '@clew/runtime';

export const KnowledgeConfig = z.object({
  ...processVariables,
  ...databaseVariables('knowledge-svc'),
  ...brokerVariables,
  ...secretVariables,
  ...identityVerifierVariables,
});
export type KnowledgeConfig = z.infer<typeof KnowledgeConfig>;
