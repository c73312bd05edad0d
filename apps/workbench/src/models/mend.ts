import type { Api } from '@clew/sdk';

export type UnavailableReason = NonNullable<Api.ModelAvailability['reason']>;

/** Act that mends a model which cannot be used. */
export interface Mend {
  /** Why it cannot be used. */
  readonly text: string;
  /** Label of the act. */
  readonly act: string;
  /** Place of the act: the page of a local model, that of all models or of providers, or the choice of another model. */
  readonly to: 'model' | 'models' | 'providers' | 'choice';
}

const MENDS: Readonly<Record<UnavailableReason, Mend>> = {
  provider_not_found: { text: 'The project has no such provider.', act: 'Add the provider', to: 'providers' },
  model_not_found: { text: 'Its provider does not know it.', act: 'Choose another model', to: 'choice' },
  service_not_running: { text: 'Its local service is not running.', act: 'Start it', to: 'model' },
  credentials_refused: { text: 'Its provider refuses the key.', act: 'Change the key', to: 'providers' },
  provider_unreachable: { text: 'Its provider cannot be reached.', act: 'Test the provider', to: 'providers' },
  no_chat: { text: 'It does not chat.', act: 'Choose another model', to: 'choice' },
  no_json_mode: { text: 'It does not answer in JSON.', act: 'Choose another model', to: 'choice' },
  no_embeddings: { text: 'It does not embed texts.', act: 'Choose another model', to: 'choice' },
  judgement_not_passed: {
    text: 'No model of the project passes the judgement test.',
    act: 'Add a stronger model',
    to: 'models',
  },
  no_suitable_model: { text: 'The project has no suitable model.', act: 'Add a model', to: 'models' },
};

export function mendOf(reason: UnavailableReason): Mend {
  return MENDS[reason];
}

const LOCAL = 'self/';

/** Id of a local model by its name in inference; undefined for the models of providers. */
export function localModelId(model: string): string | undefined {
  return model.startsWith(LOCAL) ? model.slice(LOCAL.length) : undefined;
}
