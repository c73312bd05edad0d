import {
  BookOpen,
  Cpu,
  Database,
  House,
  ListChecks,
  MessagesSquare,
  Settings,
  Ticket,
  TriangleAlert,
} from 'lucide-react';
import type { CommandId } from '../commands/table.ts';

/** Screens of the rail; what is not built yet is not in it. */
export const SCREENS = [
  { to: '/p/$projectId', label: 'Home', icon: House, command: 'go.home' },
  { to: '/p/$projectId/findings', label: 'Findings', icon: TriangleAlert, command: 'go.findings' },
  { to: '/p/$projectId/conversations', label: 'Conversations', icon: MessagesSquare, command: 'go.conversations' },
  { to: '/p/$projectId/knowledge', label: 'Knowledge', icon: BookOpen, command: 'go.knowledge' },
  { to: '/p/$projectId/datasets', label: 'Datasets', icon: Database, command: 'go.datasets' },
  { to: '/p/$projectId/models', label: 'Models', icon: Cpu, command: 'go.models' },
  { to: '/p/$projectId/rules', label: 'Rules', icon: ListChecks, command: 'go.rules' },
  { to: '/p/$projectId/work-items', label: 'Work items', icon: Ticket, command: 'go.work-items' },
] as const satisfies readonly { to: string; label: string; icon: typeof House; command: CommandId }[];

/** Screen below the rail. */
export const SETTINGS = {
  to: '/p/$projectId/settings',
  label: 'Settings',
  icon: Settings,
  command: 'go.settings',
} as const satisfies { to: string; label: string; icon: typeof House; command: CommandId };
