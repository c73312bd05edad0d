export { createHourStore, type HourStore } from './hours.store.ts';
export { dayModel, ensureSeriesNames, hourModel } from './hour-row.model.ts';
export { createSeriesService, type SeriesService } from './series.service.ts';
export { createSetFindingCounts } from './finding-counts.ts';
