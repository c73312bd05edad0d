import { z } from 'zod';
import { Permission, ProjectId, Scope, ServiceName } from '@clew/contracts';

/** Header with the internal identity; the gateway removes it from external requests. */
export const IDENTITY_HEADER = 'x-clew-identity';
export const SERVICE_REQUEST_ID_HEADER = 'x-service-request-id';
/**
 * Header with this deployment's trace of a request, in the format of W3C's `traceparent`. It is separate from the
 * caller's own header, which belongs to the caller's trace: model calls are recorded in that trace, and the header is
 * passed on unchanged.
 */
export const TRACE_HEADER = 'x-clew-traceparent';
/** Maximum lifetime of a token (design, section 2). */
export const IDENTITY_TTL_SECONDS = 60;

const PrincipalSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('key'), id: z.string(), scopes: z.array(Scope) }),
  z.object({ kind: z.literal('user'), id: z.string(), permissions: z.array(Permission) }),
  z.object({ kind: z.literal('service'), id: ServiceName }),
]);

export const IdentityClaims = z.object({
  iss: ServiceName,
  /** Service that the request is sent to: no other accepts the token. */
  aud: ServiceName,
  iat: z.int(),
  exp: z.int(),
  principal: PrincipalSchema,
  projectId: ProjectId.optional(),
});
export type IdentityClaims = z.infer<typeof IdentityClaims>;
