import { z } from 'zod';
import { databaseVariables } from '@clew/host';
import { brokerVariables, integerVariable, processVariables } from '@clew/runtime';
import { hubVariables, nodeVariables, packageVariables } from '../shared/index.ts';

export const AgentConfig = z.object({
  ...processVariables,
  ...databaseVariables('model-runtime-svc'),
  ...brokerVariables,
  ...nodeVariables,
  ...hubVariables,
  ...packageVariables,
  /** The keys that `clew agent-keys` has derived from AUTH_SECRET for the agent, which is not given that itself. */
  AGENT_KEYS_FILE: z.string(),
  /** Where the supervisor of engines listens (`dist/engines.js`), which runs them as another user; without it they are children of the agent. */
  ENGINE_SOCKET: z.string().optional(),
  /** Whom an agent that is root runs its engines as: the number of a user and of its group. */
  ENGINE_UID: integerVariable(1, 4_294_967_294, 10_002),
  /** Its volume: engines, artifacts, what is being fetched. */
  MODEL_HOME: z.string().default('.clew/models'),
  /** The Python to install engines with, 3.10 or newer with venv and pip; the first on PATH that will do by default. */
  MODEL_PYTHON: z.string().optional(),
  /** Where engines listen; in Kubernetes the address of the pod. */
  MODEL_LISTEN_HOST: z.string().default('127.0.0.1'),
  /** Where the API reaches them; what they listen at by default. */
  MODEL_REACH_HOST: z.string().optional(),
  /** Artifacts that are fetched at the same time. */
  MODEL_MAX_DOWNLOADS: integerVariable(1, 16, 2),
  /** How long a dead agent keeps the next one waiting. */
  MODEL_AGENT_LEASE_MS: integerVariable(1_000, 300_000, 10_000),
});
export type AgentConfig = z.infer<typeof AgentConfig>;
