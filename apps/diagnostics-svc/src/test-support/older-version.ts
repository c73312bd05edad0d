import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { analysisCompletedV1, conversationReady, EnvelopeOf } from '@clew/contracts';
import { readJson } from '@clew/kernel';

export type Ready = EnvelopeOf<typeof conversationReady>;
export type Result = EnvelopeOf<typeof analysisCompletedV1>;

/** What was noted of an older version when its database was dumped. */
export interface OlderVersion {
  project: string;
  /** Another project, which has switched scheduling off. */
  other: string;
  settingsOfOther: { settings: object };
  /** A request for Analysis Runs, with the conversation that it names. */
  asked: {
    conversationId: string;
    messages: { atMs: number; traceId: string }[];
    lastActivityAt: number;
    answered: { enabledRules: number; runsCreated: number };
  };
  /** The Findings that no conversation shows any more. */
  withdrawn: string[];
  /** Answers of the older version, by path. */
  reads: Record<string, object>;
  /** The counts of Findings that it announced, in order. */
  told: { conversationId: string; findingCount: number; sequence: number }[];
  /** The messages that it took. */
  ready: Ready[];
  results: Result[];
  /** By snapshot: its runs, as `<rule> <state>: <reason>`, in the order of the Rules. */
  runs: Record<string, string[]>;
}

const DUMPS = join(import.meta.dirname, 'dumps');

/** The dump of the version before one record for the analysis of a snapshot. */
export const BEFORE_ANALYSES = join(DUMPS, 'before-analyses.ndjson.gz');

export async function readBeforeAnalyses(): Promise<OlderVersion> {
  return readJson(await readFile(join(DUMPS, 'before-analyses.json'), 'utf8')) as OlderVersion;
}
