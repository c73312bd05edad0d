import type { Api } from '@clew/sdk';

/** Name that stands for the best model of a project. */
export const AUTO_MODEL = 'service/auto';
/** Choice of a model that is not in the list. */
export const OTHER_MODEL = 'other';

export interface ModelOption {
  readonly id: string;
  readonly label: string;
}

/** Choices of a model: the best, the local ones with their state, what is chosen already, and another one. */
export function modelOptions(services: readonly Pick<Api.ModelService, 'model' | 'state'>[], value: string) {
  const local: ModelOption[] = services.map(({ model, state }) => ({
    id: model,
    label: state === 'ready' ? model : `${model} (${state})`,
  }));
  const isKnown = value === '' || value === AUTO_MODEL || local.some(({ id }) => id === value);
  return [
    { id: AUTO_MODEL, label: `The best that is there (${AUTO_MODEL})` },
    ...local.filter(({ id }, at) => local.findIndex((each) => each.id === id) === at),
    ...(isKnown ? [] : [{ id: value, label: value }]),
    { id: OTHER_MODEL, label: 'Another one, of a provider' },
  ];
}
