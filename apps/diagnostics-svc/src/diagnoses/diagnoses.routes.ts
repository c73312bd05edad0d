import { getConversationDiagnosis } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import type { DiagnosesService } from './diagnoses.service.ts';

export function diagnosisRoutes(diagnoses: DiagnosesService): Route[] {
  return [
    route(getConversationDiagnosis, async ({ params }) =>
      answer(200, await diagnoses.get(params.projectId, params.conversationId)),
    ),
  ];
}
