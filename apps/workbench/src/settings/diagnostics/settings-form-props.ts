import type { Api } from '@clew/sdk';

/** Facts that each form of this part gets. */
export interface SettingsFormProps {
  readonly projectId: string;
  readonly stored: Api.DiagnosticSettings;
  readonly mayWrite: boolean;
}
