import type { Api, Clew, StreamCall } from '@clew/sdk';

/** Word that something of a project has changed; `ready` if anything may have. */
export interface Change {
  type: string;
  id: string | null;
  at: number;
}

/** State of an engine, a download or a service of the Model Runtime. */
export type Activity =
  | ({ kind: 'engine'; log: string[] } & Api.EngineInstallation)
  | ({ kind: 'download' } & Api.ModelDownload)
  | ({ kind: 'service'; log: string[] } & Api.ModelService);

type Calling = Readonly<{ signal: AbortSignal }>;

// The API description does not say what these streams consist of, so their types are stated here, in one place.

export const changesOf = (clew: Clew, calling: Calling): StreamCall<Change> =>
  clew.events.listen(calling) as unknown as StreamCall<Change>;

export const activityOf = (clew: Clew, calling: Calling): AsyncIterable<Activity> =>
  clew.models.activity(calling) as unknown as AsyncIterable<Activity>;
