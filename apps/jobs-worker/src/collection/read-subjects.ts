import {
  readDiagnosedConversations,
  readKnowledgeItems,
  type DiagnosedConversation,
  type KnowledgeItem,
} from '@clew/contracts';
import type { ServiceClient } from '@clew/http';
import { requestIdOf } from '../envelopes.ts';

interface Asked {
  projectId: string;
  requestId: string | null;
}

/** Reads what conversations show, by their ids; those that no analysis has ended for are missing. */
export async function readDiagnosed(
  diagnostics: ServiceClient,
  command: Asked,
  conversationIds: string[],
): Promise<ReadonlyMap<string, DiagnosedConversation>> {
  const { conversations } = await diagnostics.call(readDiagnosedConversations, {
    params: { projectId: command.projectId },
    body: { conversationIds },
    ...requestIdOf(command),
  });
  return new Map(conversations.map((each) => [each.conversationId, each]));
}

/** Reads Knowledge items, by their ids; those that do not exist are missing. */
export async function readItems(
  knowledge: ServiceClient,
  command: Asked,
  itemIds: string[],
): Promise<ReadonlyMap<string, KnowledgeItem>> {
  const { items } = await knowledge.call(readKnowledgeItems, {
    params: { projectId: command.projectId },
    body: { itemIds },
    ...requestIdOf(command),
  });
  return new Map(items.map((item) => [item.id, item]));
}
