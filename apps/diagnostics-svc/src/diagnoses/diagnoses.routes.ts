import { getConversationDiagnosis, readDiagnosedConversations } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import type { ReadDiagnosed } from './diagnosed-conversations.ts';
import type { DiagnosesService } from './diagnoses.service.ts';

export function diagnosisRoutes(diagnoses: DiagnosesService, readDiagnosed: ReadDiagnosed): Route[] {
  return [
    route(getConversationDiagnosis, async ({ params }) =>
      answer(200, await diagnoses.get(params.projectId, params.conversationId)),
    ),
    route(readDiagnosedConversations, async ({ params, body }) =>
      answer(200, { conversations: await readDiagnosed(params.projectId, body.conversationIds) }),
    ),
  ];
}
