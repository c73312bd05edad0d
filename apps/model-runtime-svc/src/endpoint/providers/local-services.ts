import type { ModelCategory } from '@clew/contracts';

/** Models that this deployment runs itself, as far as calls need to know them. */
export interface LocalServices {
  /**
   * Returns the endpoint of a model's ready service for the project, or undefined. The request counts as use, and wakes
   * a sleeping service.
   */
  endpointOf(projectId: string, modelId: string): Promise<LocalEndpoint | undefined>;
  /** Looks up a model's service without waking it or counting as use. */
  look(projectId: string, modelId: string): Promise<LocalService | undefined>;
  /** Returns the ids of the models, of one category or of all, whose services are ready for the project. */
  readyModels(projectId: string, category?: ModelCategory): Promise<readonly string[]>;
}

export interface LocalEndpoint {
  baseUrl: string;
  apiKey: string;
}

/** Service that answers, or that sleeps and would be woken by a call. */
export interface LocalService {
  /** Identity of model and engine; if it changes, earlier observations no longer apply. */
  identity: string;
  category: ModelCategory;
  /** Maximum number of tokens of a call and its answer together. */
  contextLength: number;
  /** Undefined while the service sleeps. */
  endpoint: LocalEndpoint | undefined;
  /** Runs calls that probe the model's capabilities; they do not count as use. */
  whileProbed<T>(probe: () => Promise<T>): Promise<T>;
}

/** Local services of a deployment that runs no models. */
export const NO_LOCAL_SERVICES: LocalServices = {
  endpointOf: async () => undefined,
  look: async () => undefined,
  readyModels: async () => [],
};
