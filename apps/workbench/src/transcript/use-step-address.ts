import { useCallback } from 'react';
import { BASE } from '../api/client.ts';
import { stepAddress } from './step-address.ts';

/** Addresses of the steps of a conversation. */
export function useStepAddress(projectId: string, conversationId: string): (stepIndex: number) => string {
  return useCallback(
    (stepIndex) => stepAddress(BASE, projectId, conversationId, stepIndex),
    [projectId, conversationId],
  );
}
