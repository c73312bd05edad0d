/** Address of a step, which leads to the conversation at that step. */
export function stepAddress(base: string, projectId: string, conversationId: string, stepIndex: number): string {
  const path = ['p', projectId, 'conversations', conversationId].map(encodeURIComponent).join('/');
  return new URL(`${path}?step=${stepIndex}`, base).href;
}
