import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DeviceDescription, Reading } from '@helioport/simulator';

interface Report {
  authorization: string | undefined;
  contentType: string | undefined;
  readings: Reading[];
  /** Undefined in a report of lines. */
  devices?: DeviceDescription[] | undefined;
}

type Answer = { status: number; body?: unknown; headers?: Record<string, string> } | 'cut';

/** Speaks the gateway's protocol over a real socket: stands in where a test needs a gateway that fails on command. */
export interface GatewayDouble {
  url: string;
  reports: Report[];
  /** Answers for the next reports; afterwards everything is accepted. */
  answers: Answer[];
  close(): Promise<void>;
}

export async function startGatewayDouble(): Promise<GatewayDouble> {
  const reports: Report[] = [];
  const answers: Answer[] = [];
  const server = createServer(async (request, response) => {
    const text = await textOf(request);
    const { authorization, 'content-type': contentType } = request.headers;
    const { readings, devices } = contentType === 'application/json' ? (JSON.parse(text) as Pick<Report, 'readings' | 'devices'>) : { readings: linesOf(text) };
    reports.push({ authorization, contentType, readings, devices });
    const answer = answers.shift() ?? { status: 200, body: { accepted: readings.length, duplicate: 0, refused: [] } };
    if (answer === 'cut') return request.socket.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(JSON.stringify(answer.body ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reports,
    answers,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

const linesOf = (body: string): Reading[] =>
  body
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Reading);
