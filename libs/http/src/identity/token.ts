import { z } from 'zod';
import { Permission, ProjectId, Scope, ServiceName } from '@clew/contracts';

/** The header that carries the internal identity; the gateway strips it from what callers send. */
export const IDENTITY_HEADER = 'x-clew-identity';
export const SERVICE_REQUEST_ID_HEADER = 'x-service-request-id';
/**
 * Which trace of this deployment a request belongs to, as W3C's `traceparent` writes it. A header of its own: that of
 * the caller is of the caller's trace, in which a call of a model is recorded, and goes on as it came.
 */
export const TRACE_HEADER = 'x-clew-traceparent';
/** A token lives at most this long (design, section 2). */
export const IDENTITY_TTL_SECONDS = 60;

const PrincipalSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('key'), id: z.string(), scopes: z.array(Scope) }),
  z.object({ kind: z.literal('user'), id: z.string(), permissions: z.array(Permission) }),
  z.object({ kind: z.literal('service'), id: ServiceName }),
]);

export const IdentityClaims = z.object({
  iss: ServiceName,
  /** The service that the request is sent to: no other takes it. */
  aud: ServiceName,
  iat: z.int(),
  exp: z.int(),
  principal: PrincipalSchema,
  projectId: ProjectId.optional(),
});
export type IdentityClaims = z.infer<typeof IdentityClaims>;
