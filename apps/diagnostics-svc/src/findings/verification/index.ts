export { exposureCollection, exposureModel } from './exposure.model.ts';
export { createExposureStore, type Exposure, type ExposureStore } from './exposures.store.ts';
