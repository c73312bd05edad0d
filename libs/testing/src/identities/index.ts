export { describeAccess, type AccessOptions, type GuardedRoute } from './access.ts';
export { callerOf, type Answer, type Call, type CallerOptions, type CallService } from './caller.ts';
export { createIdentities, keyWith, service, userWith, type Identities, type ServiceIdentities } from './identities.ts';
