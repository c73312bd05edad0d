import { describe, expect, it } from '@jest/globals';
import { containerName, dockerRunArguments } from './docker.ts';
import { mongoContainer } from './mongo/provision.ts';
import { rabbitContainer } from './rabbit/provision.ts';

describe('the containers of a stack', () => {
  it('publish MongoDB on loopback alone, under the port that the replica set gives out', () => {
    const args = dockerRunArguments('/home/a/.clew', mongoContainer(21_017));
    const name = containerName('/home/a/.clew', 'mongo');
    expect(args).toEqual([
      ...['run', '--rm', '--name', name, '--volume', `${name}:/data/db`, '--publish', '127.0.0.1:21017:21017'],
      ...['mongo:8', 'mongod', '--replSet', 'rs0', '--bind_ip_all', '--port', '21017', '--wiredTigerCacheSizeGB', '1'],
    ]);
  });

  it('publish RabbitMQ and its management on loopback alone, with a host name that keeps its data in one place', () => {
    const args = dockerRunArguments('/home/a/.clew', rabbitContainer({ amqp: 21_672, management: 21_673 }));
    const name = containerName('/home/a/.clew', 'rabbitmq');
    expect(args).toEqual([
      ...['run', '--rm', '--name', name, '--volume', `${name}:/var/lib/rabbitmq`],
      ...['--publish', '127.0.0.1:21672:5672', '--publish', '127.0.0.1:21673:15672'],
      ...['--hostname', 'clew', 'rabbitmq:4-management'],
    ]);
  });

  it('differ between two stacks', () => {
    expect(containerName('/home/a/.clew', 'mongo')).not.toBe(containerName('/home/b/.clew', 'mongo'));
  });
});
