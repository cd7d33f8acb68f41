import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { formOf, type Fields, type TestClient } from './fixture.ts';

/** A server process on a database that others use too. */
export interface Instance {
  readonly url: string;
  readonly process: ChildProcess;
  /** Asks it as an application. */
  post(
    path: string,
    client: TestClient,
    fields: Fields,
    headers?: Record<string, string>,
  ): Promise<Reply>;
  stop(): Promise<void>;
}

export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly body: any;
}

const SCRIPT = fileURLToPath(new URL('./instance.ts', import.meta.url));

export async function startInstance(address: string): Promise<Instance> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', SCRIPT, address],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const [url] = (await Promise.race([
    once(lines, 'line'),
    ended.then(() => Promise.reject(new Error('the instance ended before it was ready'))),
  ])) as [string];
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
  return {
    url,
    process: child,
    post: (path, client, fields, headers = {}) =>
      post(agent, url + path, formOf(fields), { Authorization: client.basic, ...headers }),
    stop: async () => {
      agent.destroy();
      child.stdin.end();
      if (child.exitCode === null && child.signalCode === null) await ended;
    },
  };
}

function post(
  agent: Agent,
  url: string,
  body: string,
  headers: Record<string, string>,
): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const length = String(Buffer.byteLength(body));
  const outgoing = httpRequest(
    url,
    {
      agent,
      method: 'POST',
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        'Content-Length': length,
        ...headers,
      },
    },
    (response) => {
      text(response).then(
        (answer) => resolve({ status: response.statusCode!, text: answer, body: parse(answer) }),
        reject,
      );
    },
  );
  outgoing.on('error', reject);
  outgoing.end(body);
  return promise;
}

function parse(answer: string): unknown {
  try {
    return JSON.parse(answer);
  } catch {
    return undefined;
  }
}

export const startInstances = (address: string, count: number): Promise<Instance[]> =>
  Promise.all(Array.from({ length: count }, () => startInstance(address)));
