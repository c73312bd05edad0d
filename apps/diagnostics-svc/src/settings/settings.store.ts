import {
  DEFAULT_DAILY_ADJUDICATIONS,
  DEFAULT_DAILY_REVIEWS,
  DEFAULT_REQUIRED_EXPOSURES,
  type DiagnosticSettings,
} from '@clew/contracts';
import { createProjectSettings, type Database, type ProjectSettings } from '@clew/persistence';

export type SettingsStore = ProjectSettings<DiagnosticSettings>;

const DEFAULTS: DiagnosticSettings = {
  automaticSchedulingEnabled: true,
  expectationActivation: 'grammar',
  dailyAdjudications: DEFAULT_DAILY_ADJUDICATIONS,
  reviewMode: null,
  reviewModel: null,
  dailyReviews: DEFAULT_DAILY_REVIEWS,
  requiredExposures: DEFAULT_REQUIRED_EXPOSURES,
  reopenOnRegression: false,
};

export function createSettingsStore(database: Database): SettingsStore {
  return createProjectSettings(database, { collection: 'settings', defaults: DEFAULTS });
}
