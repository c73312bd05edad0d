// Health check of the image: asks the process of this container for its health, at the path of its service definition.
import { serviceDefinition } from '@clew/contracts/services';

const { path } = serviceDefinition(process.env.CLEW_SERVICE).health;
const answer = await fetch(`http://127.0.0.1:${process.env.PORT ?? 8080}${path}`, {
  signal: AbortSignal.timeout(4_000),
}).catch(() => undefined);
process.exitCode = answer?.status === 200 ? 0 : 1;
