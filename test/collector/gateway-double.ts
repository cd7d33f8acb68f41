import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Instruction, InstructionResult, Report, Urgency } from '@helioport/collector';
import { freePort } from '../support/free-port.ts';

interface ReceivedReport extends Required<Pick<Report, 'readings'>>, Omit<Report, 'readings'> {
  authorization: string | undefined;
  urgency: Urgency;
}

type Answer = { status: number; body?: unknown; headers?: Record<string, string> } | 'cut';

/** How a gateway refuses. */
export const refusal = (status: number, msg: string): Answer => ({
  status,
  body: { success: false, code: String(status), msg, data: null },
});

/** What a gateway answers to what it will never take. */
export const REFUSED: Answer = {
  status: 400,
  body: { success: false, code: 'E0001', msg: 'the body is not readable JSON', data: null },
};

/** Speaks the gateway's protocol over a real socket: stands in where a test needs a gateway that fails on command. */
export interface GatewayDouble {
  url: string;
  reports: ReceivedReport[];
  results: InstructionResult[];
  /** Answers for the next reports and results; afterwards everything is accepted. */
  answers: Answer[];
  /** What every question for instructions is answered with at once, if anything. */
  commands: Answer | undefined;
  /** A proxy in front of it takes no longer bodies than this, bytes. */
  takesAtMost: number;
  /** How often somebody has asked for instructions. */
  asked(): number;
  /** Hands instructions to the caller that asked last, or asks next. */
  instruct(...instructions: Instruction[]): void;
  /** Breaks all connections, and refuses new ones until `comeBack`. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

export async function startGatewayDouble(): Promise<GatewayDouble> {
  const reports: ReceivedReport[] = [];
  const results: InstructionResult[] = [];
  const answers: Answer[] = [];
  let queued: Instruction[] = [];
  let waiting: ServerResponse | undefined;
  let asked = 0;

  function handOver(): void {
    if (!waiting || queued.length === 0) return;
    waiting
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ commands: queued }));
    [waiting, queued] = [undefined, []];
  }

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://gateway');
    if (pathname === '/v1/commands') {
      asked += 1;
      if (double.commands === 'cut') return request.socket.destroy();
      if (double.commands) {
        const { status, headers, body } = double.commands;
        response.writeHead(status, headers).end(JSON.stringify(body));
        return;
      }
      waiting = response;
      return handOver();
    }
    const isLines = request.headers['content-type'] === 'application/x-ndjson';
    const text = await textOf(request);
    if (text.length > double.takesAtMost)
      return response.writeHead(413, { 'content-type': 'text/html' }).end('<html>too large</html>');
    const body = (isLines ? { readings: linesOf(text) } : JSON.parse(text)) as {
      readings: ReceivedReport['readings'];
      results: InstructionResult[];
    };
    const answer = answers.shift();
    let accepted = 0;
    if (pathname === '/v1/results') accepted = results.push(...body.results);
    else {
      const urgency = searchParams.get('backlog') === 'true' ? 'backlog' : 'live';
      reports.push({ ...body, authorization: request.headers.authorization, urgency });
      accepted = body.readings.length;
    }
    if (answer === 'cut') return request.socket.destroy();
    const {
      status,
      headers,
      body: said,
    } = answer ?? { status: 200, body: { accepted, duplicate: 0, refused: [] } };
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(said ?? {}));
  });
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const port = await freePort();
  await listen(port);
  const double: GatewayDouble = {
    commands: undefined,
    takesAtMost: Infinity,
    url: `http://127.0.0.1:${port}`,
    reports,
    results,
    answers,
    asked: () => asked,
    instruct(...instructions) {
      queued.push(...instructions);
      handOver();
    },
    goAway: close,
    comeBack: () => listen(port),
    close,
  };
  return double;
}

const linesOf = (text: string): unknown[] =>
  text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
