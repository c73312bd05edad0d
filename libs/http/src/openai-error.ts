import { AppError, type ErrorCode, type ErrorDetail, type ErrorStatus, type QuotaRefusal } from '@clew/kernel';

/** Error of an OpenAI-compatible answer, as its clients read it. */
export interface OpenAiError {
  message: string;
  type: string;
  param: string | null;
  code: string | null;
  /** Rights of which one is missing, with `forbidden`. */
  details?: readonly ErrorDetail[];
  quota?: QuotaRefusal;
}

/** Error of a provider, passed on unchanged. */
export class ProviderAnswerError extends AppError {
  readonly answer: OpenAiError;

  constructor(code: ErrorCode, answer: OpenAiError, headers: Readonly<Record<string, string>> = {}) {
    super(code, answer.message, { headers });
    this.answer = answer;
  }
}

const TYPE_OF_STATUS: Partial<Record<ErrorStatus, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
};

/** Converts any error to the form that clients of the OpenAI API expect. */
export function openAiErrorBody(error: AppError): { error: OpenAiError } {
  if (error instanceof ProviderAnswerError) return { error: error.answer };
  const type = TYPE_OF_STATUS[error.status] ?? (error.status >= 500 ? 'server_error' : 'invalid_request_error');
  const { code, message, details, quota } = error;
  const isOfRights = code === 'FORBIDDEN';
  const param = (isOfRights ? undefined : details?.[0]?.path.replace(/^body\./, '')) ?? null;
  return {
    error: {
      ...{ message, type, param, code: code.toLowerCase() },
      ...(isOfRights && details !== undefined ? { details } : {}),
      ...(quota === undefined ? {} : { quota }),
    },
  };
}
