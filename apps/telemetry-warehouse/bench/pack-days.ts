// Usage: node --conditions=clew-source pack-days.ts <mongo url> <database>
// Packs the rows of days that a benchmark has stored as texts, as the migration does.
import { packDays } from '../src/hours/index.ts';
import { openWarehouse } from './retention-stores.ts';

const [url = '', name = ''] = process.argv.slice(2);
const database = await openWarehouse(url, name);
await packDays(database.connection);
await database.close();
