import { buildApps } from '@clew/stack';

/** Folder of an app that holds the scripts to measure: what is built, as images run it, or the sources. */
export type MeasuredForm = 'dist' | 'src';

/** Builds the apps unless their sources are to be measured. */
export async function prepareForm(from: string): Promise<MeasuredForm> {
  if (from === 'src') return 'src';
  await buildApps();
  return 'dist';
}
