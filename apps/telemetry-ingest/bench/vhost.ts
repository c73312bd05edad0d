import { randomBytes } from 'node:crypto';

/** A vhost for one run, on the broker that CLEW_TEST_AMQP_URL and CLEW_TEST_AMQP_MANAGEMENT_URL name. */
export async function createVhost(): Promise<{ amqpUrl: string; remove(): Promise<void> }> {
  const amqpUrl = new URL(required('CLEW_TEST_AMQP_URL'));
  const management = new URL(required('CLEW_TEST_AMQP_MANAGEMENT_URL'));
  const name = `bench_${randomBytes(6).toString('hex')}`;
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${management.origin}/api/${path}`, {
      method,
      headers: {
        authorization: `Basic ${btoa(`${management.username}:${management.password}`)}`,
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`RabbitMQ answered ${response.status} to ${method} ${path}`);
  };
  await call('PUT', `vhosts/${name}`);
  await call('PUT', `permissions/${name}/${amqpUrl.username}`, { configure: '.*', write: '.*', read: '.*' });
  amqpUrl.pathname = `/${name}`;
  return { amqpUrl: amqpUrl.href, remove: () => call('DELETE', `vhosts/${name}`) };
}

function required(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is missing`);
  return value;
}
