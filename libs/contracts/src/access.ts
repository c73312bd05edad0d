import { z } from 'zod';
import type { ServiceName } from './services.ts';

/** Scopes of an API key. The first seven are from the specification, the last two are ours (design, section 2). */
export const SCOPES = [
  'workspace:read',
  'workspace:write',
  'models:manage',
  'gateway:invoke',
  'project:data:write',
  'diagnostics:read',
  'diagnostics:write',
  'telemetry:write',
  'workspace:admin',
] as const;
export const Scope = z.enum(SCOPES);
export type Scope = z.infer<typeof Scope>;

/** Permissions of a signed-in person in a project, by role. */
export const PERMISSIONS = [
  'project:read',
  'project:data:read',
  'project:diagnostics:read',
  'project:update',
  'project:data:write',
  'project:diagnostics:write',
  'gateway:invoke',
  'project:models:manage',
  'project:members:manage',
  'project:keys:manage',
  'workspace:admin',
] as const;
export const Permission = z.enum(PERMISSIONS);
export type Permission = z.infer<typeof Permission>;

/**
 * Rule that decides who may call a route: a caller with any of the scopes or any of the permissions, or one of the
 * named services. `public` routes need no identity.
 */
export type AccessRule =
  | {
      readonly kind: 'caller';
      readonly scopes: readonly Scope[];
      readonly permissions: readonly Permission[];
      /** Whether every signed-in person may call it, also without any permission: it is about themselves. */
      readonly anyPerson?: true;
    }
  | { readonly kind: 'internal'; readonly services: readonly ServiceName[] }
  | { readonly kind: 'public' };

/** Identity of the caller, which the gateway (or a service, for itself) signs into the internal identity token. */
export type Principal =
  | { readonly kind: 'key'; readonly id: string; readonly scopes: readonly Scope[] }
  | { readonly kind: 'user'; readonly id: string; readonly permissions: readonly Permission[] }
  | { readonly kind: 'service'; readonly id: ServiceName };
