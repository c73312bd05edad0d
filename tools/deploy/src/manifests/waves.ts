/**
 * Order of a rollout by Argo CD, which waits until a wave is healthy before it begins the next. Tools that apply
 * everything at once (kubectl, Flux) ignore the waves and need none: each step waits for its own requirements.
 */
const WAVES = {
  /** Accounts, policies and settings, which every pod needs in order to start. */
  ground: -4,
  preflight: -3,
  servers: -2,
  migrations: -1,
} as const;

export type Wave = keyof typeof WAVES;

const WAVE_ANNOTATION = 'argocd.argoproj.io/sync-wave';

/** Annotation that assigns an object to a wave; processes have none, and come last. */
export const inWave = (wave: Wave) => ({ [WAVE_ANNOTATION]: String(WAVES[wave]) });
