import type { analysisRequested, EnvelopeOf } from '@clew/contracts';

/** Rules and the snapshots to evaluate them on. */
export type AnalysisCommand = Pick<EnvelopeOf<typeof analysisRequested>, 'id' | 'projectId' | 'requestId' | 'data'>;
