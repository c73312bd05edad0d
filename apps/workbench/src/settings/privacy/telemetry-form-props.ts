import type { Api } from '@clew/sdk';

/** Facts that each form of this part gets. */
export interface TelemetryFormProps {
  readonly projectId: string;
  readonly stored: Api.TelemetrySettings;
  readonly mayChange: boolean;
}
