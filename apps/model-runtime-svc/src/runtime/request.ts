/** Project and request for which work is done; the request is null if no caller asked. */
export interface RequestOf {
  projectId: string;
  requestId: string | null;
}
