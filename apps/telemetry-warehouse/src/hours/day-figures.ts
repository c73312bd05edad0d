import { readJson } from '@clew/kernel';
import { mongo } from 'mongoose';
import { FigureSums } from './figure-sums.ts';
import type { DayRow, HourFigures } from './hour-row.model.ts';
import { HOUR_MS } from './hour-share.ts';
import { addPacked, packFigures } from './packed-figures.ts';

export const DAY_MS = 86_400_000;

/** Figures of a day: those of its hours, and their sum. */
export type DayFigures = Pick<DayRow, 'hours' | 'total'>;

export function dayOf(hour: number): number {
  return hour - (hour % DAY_MS);
}

/** Adds the figures of a day to the sums of each hour, by its start; hours without sums are passed over. */
export function addDayFigures(
  figures: DayRow['hours'],
  day: number,
  sumsOf: (hour: number) => FigureSums | undefined,
): void {
  if (typeof figures !== 'string') {
    addPacked(figures.buffer.subarray(0, figures.position), (number) => sumsOf(day + number * HOUR_MS));
    return;
  }
  for (const [hour, added] of Object.entries(readJson(figures) as Record<string, HourFigures>)) {
    sumsOf(Number(hour))?.add(added);
  }
}

/** Figures of the hours of a day, by the start of the hour. */
export function hoursOf(row: Pick<DayRow, 'day' | 'hours'> | undefined): Map<number, FigureSums> {
  const byHour = new Map<number, FigureSums>();
  if (row !== undefined) addDayFigures(row.hours, row.day, (hour) => sumsIn(byHour, hour));
  return byHour;
}

/** Sums of a key, which begin with nothing. */
export function sumsIn<Key>(sums: Map<Key, FigureSums>, key: Key): FigureSums {
  const found = sums.get(key) ?? new FigureSums();
  sums.set(key, found);
  return found;
}

/** Packs the figures of a day; undefined if there is no conversation in it. */
export function dayFiguresOf(byHour: ReadonlyMap<number, FigureSums>): DayFigures | undefined {
  const left = [...byHour].filter(([, { conversations }]) => conversations > 0);
  if (left.length === 0) return undefined;
  const hours = packFigures(left.map(([hour, sums]) => [(hour % DAY_MS) / HOUR_MS, sums]));
  const total = new FigureSums();
  addPacked(hours, () => total);
  return { hours: new mongo.Binary(hours), total: new mongo.Binary(packFigures([[0, total]])) };
}
