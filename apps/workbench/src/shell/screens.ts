import { House, MessagesSquare, TriangleAlert } from 'lucide-react';
import type { CommandId } from '../commands/table.ts';

/** Screens of the rail; what is not built yet is not in it. */
export const SCREENS = [
  { to: '/p/$projectId', label: 'Home', icon: House, command: 'go.home' },
  { to: '/p/$projectId/findings', label: 'Findings', icon: TriangleAlert, command: 'go.findings' },
  { to: '/p/$projectId/conversations', label: 'Conversations', icon: MessagesSquare, command: 'go.conversations' },
] as const satisfies readonly { to: string; label: string; icon: typeof House; command: CommandId }[];
