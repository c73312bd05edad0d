export { countedOf, countExistingOccurrences, OF_SERIES } from './count-existing.ts';
export { rowChanges, type Counted, type RowChange } from './series-change.ts';
export { seriesCollection, seriesModel } from './series.model.ts';
export { changeSeries, createSeriesStore, type SeriesStore } from './series.store.ts';
