import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** An authorization server in its own process, and a client that is registered there. */
export interface Rival {
  readonly port: number;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
  readonly paths: { readonly token: string; readonly revoke: string; readonly introspect: string };
  /** Makes `count` codes, as an owner’s approval does. */
  codes(count: number): Promise<string[]>;
  /** CPU time used so far, in microseconds. */
  cpu(): Promise<number>;
  stop(): void;
}

type Introduction = Omit<Rival, 'codes' | 'cpu' | 'stop'>;

/** `flags` are for Node. */
export async function startRival(
  script: URL,
  args: readonly string[] = [],
  flags: readonly string[] = [],
): Promise<Rival> {
  const child: ChildProcess = fork(script, args, {
    execArgv: ['--disable-warning=ExperimentalWarning', ...flags],
  });
  const ended = once(child, 'exit').then(() =>
    Promise.reject(new Error(`${script.pathname} ended`)),
  );
  ended.catch(() => {});
  const [introduction] = (await Promise.race([once(child, 'message'), ended])) as [Introduction];
  return {
    ...introduction,
    async codes(count) {
      child.send(count);
      const [codes] = (await once(child, 'message')) as [string[]];
      return codes;
    },
    async cpu() {
      child.send('cpu');
      const [{ user, system }] = (await once(child, 'message')) as [NodeJS.CpuUsage];
      return user + system;
    },
    stop: () => void child.kill(),
  };
}

/** The side of the child process. */
export function introduce(introduction: Introduction, makeCode: () => Promise<string>): void {
  process.on('message', (count: number | 'cpu') => {
    if (count === 'cpu') return void process.send!(process.cpuUsage());
    const making = (async () => {
      const codes: string[] = [];
      for (let i = 0; i < count; i++) codes.push(await makeCode());
      process.send!(codes);
    })();
    making.catch((error: unknown) => {
      console.error(error);
      process.exit(1);
    });
  });
  process.send!(introduction);
}
