import { FEATURE_NAMES, type ConversationFeatures } from './features.ts';

/** Usual value of a feature, and how much it varies. */
export interface Usual {
  readonly mean: number;
  readonly spread: number;
}

/** Features that are usual where a conversation comes from: its project, or all conversations. */
export type UsualFeatures = Readonly<Record<keyof ConversationFeatures, Usual>>;

/** Least spread: in a project where a feature hardly varies, a small difference must not decide. */
const MIN_SPREAD = 0.15;
/** Distance from the usual, in spreads, beyond which a feature says no more. */
const MAX_DISTANCE = 4;

/** Computes what is usual among some conversations. */
export function usualOf(conversations: readonly ConversationFeatures[]): UsualFeatures {
  const ofFeature = (name: keyof ConversationFeatures): Usual => {
    const values = conversations.map((features) => features[name]);
    const mean = average(values);
    return { mean, spread: Math.sqrt(average(values.map((value) => (value - mean) ** 2))) };
  };
  return Object.fromEntries(FEATURE_NAMES.map((name) => [name, ofFeature(name)])) as unknown as UsualFeatures;
}

/** Distances of a conversation's features from the usual ones, in spreads, in the order of `FEATURE_NAMES`. */
export function distancesFrom(usual: UsualFeatures, features: ConversationFeatures): number[] {
  return FEATURE_NAMES.map((name) => {
    const { mean, spread } = usual[name];
    const distance = (features[name] - mean) / Math.max(spread, MIN_SPREAD);
    return Math.max(-MAX_DISTANCE, Math.min(MAX_DISTANCE, distance));
  });
}

function average(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
