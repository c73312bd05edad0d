import { Schema, type Connection, type Model } from 'mongoose';
import { sha256Hex } from '@clew/kernel';
import { modelOf } from '@clew/persistence';

export interface StoredProject {
  id: string;
  workspaceId: string;
  name: string;
  createdAt: number;
  updatedAt: number;
}
/** ETag that changes with every change of the project. */
export function projectEtag({ id, name, updatedAt }: Pick<StoredProject, 'id' | 'name' | 'updatedAt'>): string {
  return `"${sha256Hex(JSON.stringify([id, name, updatedAt])).slice(0, 32)}"`;
}

export type ProjectDocument = Omit<StoredProject, 'id'> & { _id: string };

const projectSchema = new Schema<ProjectDocument>(
  {
    _id: { type: String, required: true },
    workspaceId: { type: String, required: true },
    name: { type: String, required: true },
    createdAt: { type: Number, required: true },
    updatedAt: { type: Number, required: true },
  },
  { collection: 'projects', versionKey: false },
);
projectSchema.index({ workspaceId: 1, createdAt: -1, _id: -1 });

export function projectModel(connection: Connection): Model<ProjectDocument> {
  return modelOf(connection, 'Project', projectSchema);
}

export interface WorkspaceDocument {
  _id: string;
  name: string;
  createdAt: number;
  /** Mark of the AUTH_SECRET under which the workspace was created. */
  secretMark?: string;
  /** Number of changes that make or unmake an owner: each writes here, so that two at the same time conflict. */
  ownerChanges?: number;
}

const workspaceSchema = new Schema<WorkspaceDocument>(
  {
    _id: { type: String, required: true },
    name: { type: String, required: true },
    createdAt: { type: Number, required: true },
    secretMark: { type: String },
    ownerChanges: { type: Number },
  },
  { collection: 'workspaces', versionKey: false },
);

export function workspaceModel(connection: Connection): Model<WorkspaceDocument> {
  return modelOf(connection, 'Workspace', workspaceSchema);
}
