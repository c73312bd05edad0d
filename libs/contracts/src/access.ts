import { z } from 'zod';
import type { ServiceName } from './services.ts';

/** What an API key may do. The first seven are the specification's, the last two ours (design, section 2). */
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

/** What a signed-in person may do in a project, by role. */
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
 * Who may call a route: a caller with any of the scopes or any of the permissions, or one of the named services.
 * `public` routes need no identity at all.
 */
export type AccessRule =
  | { readonly kind: 'caller'; readonly scopes: readonly Scope[]; readonly permissions: readonly Permission[] }
  | { readonly kind: 'internal'; readonly services: readonly ServiceName[] }
  | { readonly kind: 'public' };

/** Who calls, as the gateway (or a service, for itself) signs it into the internal identity token. */
export type Principal =
  | { readonly kind: 'key'; readonly id: string; readonly scopes: readonly Scope[] }
  | { readonly kind: 'user'; readonly id: string; readonly permissions: readonly Permission[] }
  | { readonly kind: 'service'; readonly id: ServiceName };
