import { describe, expect, it } from '@jest/globals';
import { selectPackages } from './debian.ts';

const CLOSURE = `rabbitmq-server
  Depends: erlang-base
 |Depends: cron
erlang-base
  Depends: libsctp1
<erlang-base-hipe>
cron
libc6
libsctp1
python3:any
`;

const PLAN = `NOTE: This is only a simulation!
Inst libsctp1 (1.0.19 Debian:12 [amd64])
Inst logrotate (3.21 Debian:12 [amd64])
Inst rabbitmq-server (3.10.8 Debian:12 [all])
Conf libsctp1 (1.0.19 Debian:12 [amd64])
`;

describe('choosing what to unpack', () => {
  it('takes the wanted packages, installed or not, and the libraries that the system lacks', () => {
    expect(selectPackages(CLOSURE, PLAN, /^(rabbitmq-server|erlang-.*)$/)).toEqual([
      'erlang-base',
      'libsctp1',
      'rabbitmq-server',
    ]);
  });

  it('takes no library that the system has', () => {
    expect(selectPackages(CLOSURE, '', /^rabbitmq-server$/)).toEqual(['rabbitmq-server']);
  });
});
