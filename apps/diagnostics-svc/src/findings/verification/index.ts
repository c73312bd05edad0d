export { exposureCollection, exposureModel } from './exposure.model.ts';
export { createExposureStore, type Exposure, type ExposureStore } from './exposures.store.ts';
export { issueNoteCollection, issueNoteModel, type IssueNews, type IssueNoteDocument } from './issue-note.model.ts';
export { createIssueNoteStore, type IssueNoteStore } from './issue-notes.store.ts';
