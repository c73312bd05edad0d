import { createConnection, type Connection } from 'mongoose';
import { runningStack } from './stack.ts';

/** Lets something look into the database of the stack, of which the address tells no name. */
export async function withMongo<Result>(
  use: (connection: Connection) => Promise<Result>,
  url = runningStack().mongoUrl,
): Promise<Result> {
  const connection = await createConnection(url).asPromise();
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}
