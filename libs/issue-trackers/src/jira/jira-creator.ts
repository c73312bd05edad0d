import { toAdf } from '../text/adf.ts';
import { withReference } from '../text/marked.ts';
import { issueTitle } from '../text/title.ts';
import type { JiraDestination } from '../tracker/connection.ts';
import type { IssueDraft, TrackerAdapter } from '../tracker/issue-tracker.ts';
import { done, mapDone, refused, type Outcome } from '../tracker/outcome.ts';
import { JiraCreated, JiraError, JiraPermissions, JiraProject, JiraUser, type JiraIssueType } from './jira-answers.ts';
import type { JiraApi } from './jira-api.ts';
import type { Answer, Purpose } from '../exchange/send.ts';

/** Types of issues that are chosen where none is named. */
const USUAL_TYPES: readonly string[] = ['Bug', 'Task'];

export function createJiraCreator(
  api: JiraApi,
  destination: JiraDestination | undefined,
): Pick<TrackerAdapter, 'test' | 'create'> {
  async function readProject({ projectKey }: JiraDestination, purpose: Purpose, signal: AbortSignal) {
    return await api.value(api.request(purpose, 'GET', `/project/${projectKey}`), JiraProject, signal);
  }

  async function typeId(wanted: JiraDestination, signal: AbortSignal): Promise<Outcome<string>> {
    // Ids need no look-up.
    if (wanted.issueType !== undefined && /^\d{1,18}$/.test(wanted.issueType)) return done(wanted.issueType);
    const project = await readProject(wanted, 'read', signal);
    if (project.kind !== 'done') return project;
    const type = chooseType(project.value.issueTypes ?? [], wanted.issueType);
    return type === undefined ? NO_TYPE : done(type.id);
  }

  return {
    async test(signal) {
      const user = await api.value(api.request('test', 'GET', '/myself'), JiraUser, signal);
      // Jira Data Center has other versions of the API, without documents in ADF.
      if (user.kind === 'refused' && user.reason === 'destination') return NO_API;
      if (user.kind !== 'done') return user;
      const account = user.value.displayName ?? user.value.accountId;
      if (destination === undefined) return done({ account, destination: null });
      const project = await readProject(destination, 'test', signal);
      if (project.kind !== 'done') return project;
      if (chooseType(project.value.issueTypes ?? [], destination.issueType) === undefined) return NO_TYPE;
      const query = { projectKey: destination.projectKey, permissions: 'CREATE_ISSUES' };
      const asked = await api.value(api.request('test', 'GET', '/mypermissions', { query }), JiraPermissions, signal);
      if (asked.kind !== 'done') return asked;
      if (asked.value.permissions['CREATE_ISSUES']?.havePermission !== true) {
        return refused('permission', 'The credentials are not allowed to create issues in this project');
      }
      const { key, name } = project.value;
      return done({ account, destination: { name: `${name} (${key})`, url: api.urlOf(key) } });
    },
    async create(draft, marker, signal) {
      if (destination === undefined) return refused('destination', 'No project is named');
      const type = await typeId(destination, signal);
      if (type.kind !== 'done') return type;
      const fields = fieldsOf(draft, marker, destination, type.value);
      const post = (body: object) => api.request('change', 'POST', '/issue', { body });
      const first = await api.answer(post({ fields: { ...fields, labels: [marker] } }), signal, [400]);
      if (first.kind !== 'done') return first;
      // Projects can lack the field for labels. The marker is then only in the text, where it is also looked for.
      const created = onlyLabelsAreWrong(first.value)
        ? await api.answer(post({ fields }), signal)
        : api.judged(first.value, 'change');
      if (created.kind !== 'done') return created;
      return mapDone(api.checked(created.value, JiraCreated, 'change'), ({ id, key }) => ({
        ...{ externalId: id, key, url: api.urlOf(key) },
      }));
    },
  };
}

const NO_TYPE = refused('destination', 'The project has no such type of issue');
const NO_API = refused('address', 'The server at this address does not have the API of Jira Cloud (version 3)');

function fieldsOf(draft: IssueDraft, marker: string, { projectKey }: JiraDestination, typeId: string) {
  return {
    project: { key: projectKey },
    issuetype: { id: typeId },
    summary: issueTitle(draft.title),
    description: toAdf(withReference(draft.body, marker)),
  };
}

function chooseType(types: readonly JiraIssueType[], wanted: string | undefined): JiraIssueType | undefined {
  const usable = types.filter(({ subtask }) => subtask !== true);
  if (wanted !== undefined) {
    return usable.find(({ id, name }) => id === wanted || name.toLowerCase() === wanted.toLowerCase());
  }
  const usual = USUAL_TYPES.map((name) => usable.find((type) => type.name === name));
  return usual.find((type) => type !== undefined) ?? usable[0];
}

function onlyLabelsAreWrong({ status, json }: Answer): boolean {
  if (status !== 400) return false;
  const { errors = {} } = JiraError.safeParse(json).data ?? {};
  const fields = Object.keys(errors);
  return fields.length === 1 && fields[0] === 'labels';
}
