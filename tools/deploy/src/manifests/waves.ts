/**
 * The order of a rollout by Argo CD, which waits until a wave is well before it begins the next. What applies all at once
 * (kubectl, Flux) takes no notice of it and needs none: each step waits for what it needs.
 */
const WAVES = {
  /** Accounts, policies and settings: what every pod needs in order to start. */
  ground: -4,
  preflight: -3,
  servers: -2,
  migrations: -1,
} as const;

export type Wave = keyof typeof WAVES;

const WAVE_ANNOTATION = 'argocd.argoproj.io/sync-wave';

/** The annotation of what belongs to a wave; processes have none, and come last. */
export const inWave = (wave: Wave) => ({ [WAVE_ANNOTATION]: String(WAVES[wave]) });
