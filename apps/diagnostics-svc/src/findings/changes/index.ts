export { changeFinding, withNewState, type ChangeContext, type ChangedByPeople } from './change-finding.ts';
export {
  createChangesService,
  type ChangeOutcome,
  type ChangesService,
  type FindingKey,
  type Requester,
} from './changes.service.ts';
