export { readAccessTable, type AccessRow } from './access-table.ts';
