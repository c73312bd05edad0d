/** Part of Linear's schema that clients of issues need, with the names, types and requirements of the whole one. */
export const LINEAR_SCHEMA = `
scalar DateTime
scalar DateTimeOrDuration

type Query {
  viewer: User!
  team(id: String!): Team!
  issue(id: String!): Issue!
  issues(filter: IssueFilter, first: Int, after: String, includeArchived: Boolean, orderBy: PaginationOrderBy): IssueConnection!
  comment(id: String): Comment!
  workflowStates(filter: WorkflowStateFilter, first: Int, after: String): WorkflowStateConnection!
}

type Mutation {
  issueCreate(input: IssueCreateInput!): IssuePayload!
  issueUpdate(id: String!, input: IssueUpdateInput!): IssuePayload!
  commentCreate(input: CommentCreateInput!): CommentPayload!
}

enum PaginationOrderBy { createdAt updatedAt }

input IssueCreateInput {
  id: String
  teamId: String!
  title: String
  description: String
  priority: Int
  stateId: String
  labelIds: [String!]
}
input IssueUpdateInput { title: String description: String priority: Int stateId: String }
input CommentCreateInput { id: String issueId: String body: String }
input IDComparator { eq: ID in: [ID!] }
input IssueIDComparator { eq: ID in: [ID!] }
input StringComparator { eq: String in: [String!] }
input DateComparator { gt: DateTimeOrDuration gte: DateTimeOrDuration lt: DateTimeOrDuration lte: DateTimeOrDuration }
input TeamFilter { id: IDComparator key: StringComparator }
input IssueFilter { id: IssueIDComparator team: TeamFilter updatedAt: DateComparator createdAt: DateComparator }
input WorkflowStateFilter { id: IDComparator team: TeamFilter type: StringComparator name: StringComparator }

type User { id: ID! name: String! email: String! }
type Organization { id: ID! name: String! urlKey: String! }
type Team { id: ID! key: String! name: String! organization: Organization! }
type WorkflowState { id: ID! name: String! type: String! position: Float! team: Team! }
type Issue {
  id: ID!
  identifier: String!
  number: Float!
  title: String!
  description: String
  priority: Float!
  url: String!
  createdAt: DateTime!
  updatedAt: DateTime!
  completedAt: DateTime
  canceledAt: DateTime
  archivedAt: DateTime
  trashed: Boolean
  state: WorkflowState!
  team: Team!
}
type Comment { id: ID! body: String! createdAt: DateTime! updatedAt: DateTime! }
type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
type IssueConnection { nodes: [Issue!]! pageInfo: PageInfo! }
type WorkflowStateConnection { nodes: [WorkflowState!]! pageInfo: PageInfo! }
type IssuePayload { success: Boolean! lastSyncId: Float! issue: Issue }
type CommentPayload { success: Boolean! lastSyncId: Float! comment: Comment! }
`;
