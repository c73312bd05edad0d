import type { CatalogModel, ModelDetail } from '@clew/contracts';
import { type Model, modelSizeBytes } from '../shared/index.ts';

/** Model as the catalog shows it. */
export function catalogView({ profiles, ...model }: Model, installedIds: ReadonlySet<string>): CatalogModel {
  return { ...model, sizeBytes: modelSizeBytes({ profiles }), installed: installedIds.has(model.id) };
}

/** Model with its profiles. By default, the first profile, which is the recommended one, is selected. */
export function detailView(model: Model, installedIds: ReadonlySet<string>, profileId?: string): ModelDetail {
  return {
    ...catalogView(model, installedIds),
    profiles: model.profiles,
    selectedProfileId: profileId ?? model.profiles[0]?.id ?? null,
  };
}
