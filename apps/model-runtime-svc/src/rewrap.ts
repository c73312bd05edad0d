import { runRewrap } from '@clew/host';
import { STORED_SECRETS } from './stored-secrets.ts';

/** Wraps the stored credentials with the present AUTH_SECRET; prints a report as JSON, and fails if any were left. */
await runRewrap({ name: 'model-runtime-svc', stored: STORED_SECRETS });
