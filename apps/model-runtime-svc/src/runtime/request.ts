/** For whom something is done, and in which request; null where no caller asked. */
export interface RequestOf {
  projectId: string;
  requestId: string | null;
}
