import type { Api } from '@clew/sdk';
import { percent } from '../text/format.ts';
import { bytes } from './preparation.ts';

type Runtime = Pick<Api.RuntimeSnapshot, 'engines' | 'downloads' | 'services'>;

/** Work of the node for the project. */
export interface ModelWork {
  readonly id: string;
  /** Model that it is for; undefined for what all models need. */
  readonly modelId: string | undefined;
  readonly text: string;
  /** Share that is done; undefined while nobody knows. */
  readonly share: number | undefined;
}

const DOWNLOADING: readonly string[] = ['queued', 'running', 'verifying'];
const INSTALLING: readonly string[] = ['queued', 'installing'];

/** Work that goes on: what is installed, fetched and started. */
export function modelWork({ engines, downloads, services }: Runtime): ModelWork[] {
  return [
    ...engines
      .filter(({ state }) => INSTALLING.includes(state))
      .map(({ engine }) => ({ id: engine, modelId: undefined, text: `${engine} is installed`, share: undefined })),
    ...downloads
      .filter(({ state }) => DOWNLOADING.includes(state))
      .map((download) => ({
        id: `download ${download.modelId} ${download.profileId}`,
        modelId: download.modelId,
        text: downloadText(download),
        share: downloadShare(download),
      })),
    ...services
      .filter(({ state }) => state === 'starting')
      .map(({ modelId, profileId }) => ({
        ...{ id: `service ${modelId} ${profileId}`, modelId, text: 'starts', share: undefined },
      })),
  ];
}

function downloadText({ state, bytesDone, bytesTotal }: Api.ModelDownload): string {
  if (state === 'queued') return 'waits to be fetched';
  if (state === 'verifying') return 'is checked';
  return bytesTotal === null ? `${bytes(bytesDone)} are fetched` : `${bytes(bytesDone)} of ${bytes(bytesTotal)}`;
}

function downloadShare({ bytesDone, bytesTotal }: Api.ModelDownload): number | undefined {
  return bytesTotal === null || bytesTotal === 0 ? undefined : Math.min(0.99, bytesDone / bytesTotal);
}

/** Progress of all work in a few characters: `42%`, or `…` while nobody knows how far it is; undefined without work. */
export function workText(work: readonly ModelWork[], locale?: string): string | undefined {
  const known = work.map(({ share }) => share).filter((share) => share !== undefined);
  if (work.length === 0) return undefined;
  return known.length === 0 ? '…' : percent(known.reduce((sum, share) => sum + share, 0) / known.length, locale);
}
