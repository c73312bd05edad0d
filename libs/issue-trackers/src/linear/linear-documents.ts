const ISSUE = `
  id identifier url title updatedAt trashed
  state { name type }
  team { id }
`;

export const READ_ISSUE = `query ReadIssue($id: String!) { issue(id: $id) { ${ISSUE} } }`;

export const LIST_CHANGED = `query ListChanged($filter: IssueFilter!, $first: Int!, $after: String) {
  issues(filter: $filter, first: $first, after: $after, orderBy: updatedAt, includeArchived: true) {
    nodes { ${ISSUE} }
    pageInfo { hasNextPage endCursor }
  }
}`;

export const WHO = `query Who { viewer { id name } }`;

export const READ_TEAM = `query ReadTeam($id: String!) { team(id: $id) { id key name organization { urlKey } } }`;

export const LIST_STATES = `query ListStates($filter: WorkflowStateFilter!) {
  workflowStates(filter: $filter, first: 100) { nodes { id type position } }
}`;

export const READ_COMMENT = `query ReadComment($id: String!) { comment(id: $id) { id } }`;

export const CREATE_ISSUE = `mutation CreateIssue($input: IssueCreateInput!) {
  issueCreate(input: $input) { success issue { ${ISSUE} } }
}`;

export const UPDATE_ISSUE = `mutation UpdateIssue($id: String!, $input: IssueUpdateInput!) {
  issueUpdate(id: $id, input: $input) { success }
}`;

export const CREATE_COMMENT = `mutation CreateComment($input: CommentCreateInput!) {
  commentCreate(input: $input) { success }
}`;
