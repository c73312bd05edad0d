/** The models that this deployment runs itself, as far as calls need to know them. */
export interface LocalServices {
  /** Where a model's ready service is for the project, or undefined. */
  endpointOf(projectId: string, modelId: string): Promise<{ baseUrl: string; apiKey: string } | undefined>;
  /** The ids of the models whose services are ready for the project. */
  readyModels(projectId: string): Promise<readonly string[]>;
}

/** Of a deployment that runs none. */
export const NO_LOCAL_SERVICES: LocalServices = {
  endpointOf: async () => undefined,
  readyModels: async () => [],
};
