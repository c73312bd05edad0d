import type { EngineName } from '@clew/contracts';

/** What an installation is to be. */
export interface EngineSpec {
  engine: EngineName;
  version: string;
}

export interface EngineOutcome {
  version: string;
}
