/** For whom something is done, and in which request. */
export interface RequestOf {
  projectId: string;
  requestId: string;
}
