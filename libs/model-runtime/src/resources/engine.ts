import type { EngineName } from '@clew/contracts';

/** Engine and version to install. */
export interface EngineSpec {
  engine: EngineName;
  version: string;
}

export interface EngineOutcome {
  version: string;
}
