export { createHourStore, type HourStore } from './hours.store.ts';
export { hoursOf } from './day-figures.ts';
export { dayCollection, dayModel, ensureSeriesNames, hourModel } from './hour-row.model.ts';
export { createSeriesService, type SeriesService } from './series.service.ts';
export { createSetFindingCounts } from './finding-counts.ts';
export { packDays } from './pack-days.ts';
