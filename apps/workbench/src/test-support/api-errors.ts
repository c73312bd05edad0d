import { ForbiddenError, NotFoundError, UnavailableError } from '@clew/sdk';

/** Errors as the API answers them. */
export const apiErrors = {
  forbidden: (permission: string) =>
    new ForbiddenError('not allowed', {
      status: 403,
      code: 'FORBIDDEN',
      requestId: 'req_1',
      details: [
        { path: 'scope', message: 'diagnostics:write' },
        { path: 'permission', message: permission },
      ],
    }),
  notFound: (code: string) => new NotFoundError('there is none', { status: 404, code, requestId: 'req_1' }),
  unavailable: (code: string) => new UnavailableError('away', { status: 503, code, requestId: 'req_1' }),
};
