import type { ModelCategory } from '@clew/contracts';

/** The models that this deployment runs itself, as far as calls need to know them. */
export interface LocalServices {
  /** Where a model's ready service is for the project, or undefined. To ask is to use it, and wakes one that sleeps. */
  endpointOf(projectId: string, modelId: string): Promise<LocalEndpoint | undefined>;
  /** What there is for a model: to look neither wakes it nor counts as use. */
  look(projectId: string, modelId: string): Promise<LocalService | undefined>;
  /** The ids of the models, of one category or of all, whose services are ready for the project. */
  readyModels(projectId: string, category?: ModelCategory): Promise<readonly string[]>;
}

export interface LocalEndpoint {
  baseUrl: string;
  apiKey: string;
}

/** A service that answers, or that sleeps and would be woken by a call. */
export interface LocalService {
  /** Another text means another model or engine: what was seen of it says nothing of this one. */
  identity: string;
  category: ModelCategory;
  /** Tokens that a call and its answer may have together. */
  contextLength: number;
  /** Undefined while it sleeps. */
  endpoint: LocalEndpoint | undefined;
  /** Runs calls that try out what the model can do: they are no use of it. */
  whileProbed<T>(probe: () => Promise<T>): Promise<T>;
}

/** Of a deployment that runs none. */
export const NO_LOCAL_SERVICES: LocalServices = {
  endpointOf: async () => undefined,
  look: async () => undefined,
  readyModels: async () => [],
};
