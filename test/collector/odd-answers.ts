import type { IncomingMessage, ServerResponse } from 'node:http';

/** Answers a request as no gateway would. */
export type OddAnswer = (request: IncomingMessage, response: ServerResponse) => void;

const HTML = '<html><body>nginx</body></html>';
const json = 'application/json';
const OUTCOME = { accepted: 1, duplicate: 0, refused: [] };
const NO_ROUTE = { success: false, code: '404', msg: 'there is no such path', data: null };
/** More than any gateway answers. */
const LONG = 6_000_000;

const says =
  (status: number, body: unknown, headers: Record<string, string> = {}): OddAnswer =>
  (_, response) =>
    void response
      .writeHead(status, { 'content-type': json, ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));

const STATUSES = [
  ...Array.from({ length: 19 }, (_, i) => 400 + i),
  421,
  422,
  425,
  426,
  428,
  429,
  431,
  451,
  499,
  500,
  501,
  502,
  503,
  504,
  511,
  599,
];

/** Bodies with status 200 that are no answer to anything. */
const BODIES: Readonly<Record<string, unknown>> = {
  nothing: '',
  HTML,
  'half a JSON': '{"accepted":1,"dupl',
  'an empty object': {},
  null: null,
  'an empty list': [],
  'a number': 5,
  'a text': '"ok"',
  true: true,
  'an envelope of success': { success: true, code: '0', msg: 'success', data: OUTCOME },
  'an outcome without a list': { accepted: 1, duplicate: 0 },
  'an outcome with null': { ...OUTCOME, refused: null },
  'an outcome that refuses null': { ...OUTCOME, refused: [null] },
  'an outcome that refuses __proto__': {
    ...OUTCOME,
    refused: [{ index: '__proto__', reason: '' }],
  },
  'an outcome without a reason': { ...OUTCOME, refused: [{ index: 0, reason: {} }] },
  'an outcome with text': { ...OUTCOME, accepted: '1' },
  'an outcome below 0': { ...OUTCOME, accepted: -1 },
  'an outcome of a half': { ...OUTCOME, duplicate: 0.5 },
  'an outcome of infinity': '{"accepted":1e999,"duplicate":0,"refused":[]}',
  'an outcome with odd devices': { ...OUTCOME, devices: null },
  'an outcome with odd alarms': { ...OUTCOME, alarms: { accepted: 1 } },
  'an outcome that dropped a number': { ...OUTCOME, dropped: 7 },
  'an outcome at no time': { ...OUTCOME, receivedAt: 'tomorrow' },
  'an outcome that counts text': { ...OUTCOME, droppedCount: 'many' },
  'commands that are text': { commands: 'abc' },
  'commands that are none': {
    commands: [null, 5, 'x', [], {}, { id: {}, sn: [], action: 'write' }],
  },
  'a hundred thousand lists': '['.repeat(100_000),
};

const RETRY_AFTER = ['0', '00', '-1', 'soon', '', 'Thu, 01 Jan 1970 00:00:00 GMT', '0.5', 'NaN'];
const REFUSAL = { success: false, code: '503', msg: 'wait', data: null };

/** Everything that may answer at the address of a gateway, and is none. */
export const ODD_ANSWERS: ReadonlyMap<string, OddAnswer> = new Map<string, OddAnswer>([
  ...STATUSES.flatMap((status): [string, OddAnswer][] => [
    [`${status} with HTML`, says(status, HTML, { 'content-type': 'text/html' })],
    [`${status} with {}`, says(status, {})],
    [`${status} of another product`, says(status, { success: 'false', code: status, msg: 7 })],
  ]),
  ...[404, 405, 409, 415, 421, 429, 500, 503].map((status): [string, OddAnswer] => [
    `${status} of another version`,
    says(status, NO_ROUTE),
  ]),
  ...[201, 202, 203, 204, 206, 226, 304].map((status): [string, OddAnswer] => [
    `${status} with an outcome`,
    says(status, OUTCOME),
  ]),
  ...Object.entries(BODIES).map(([name, body]): [string, OddAnswer] => [
    `200 with ${name}`,
    says(200, body),
  ]),
  ...RETRY_AFTER.flatMap((value): [string, OddAnswer][] => [
    [`503 with Retry-After ${value}`, says(503, REFUSAL, { 'retry-after': value })],
    [`429 with HTML and Retry-After ${value}`, says(429, HTML, { 'retry-after': value })],
  ]),
  ...[300, 301, 302, 303, 307, 308].map((status): [string, OddAnswer] => [
    `${status} to itself`,
    (request, response) => says(status, {}, { location: request.url! })(request, response),
  ]),
  ['301 to nowhere', says(301, HTML)],
  ['an end of the connection', (request) => request.socket.destroy()],
  [
    'an answer cut in half',
    (request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{');
      setImmediate(() => request.socket.destroy());
    },
  ],
  ['no HTTP', (request) => request.socket.end('220 mail\r\n')],
  [
    'another protocol',
    (request) =>
      request.socket.end(
        'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
      ),
  ],
  [
    'interim answers only',
    (request) => {
      request.socket.end('HTTP/1.1 102 Processing\r\n\r\n'.repeat(1000));
    },
  ],
  [
    'a head without end',
    (request) => {
      request.socket.on('error', () => {}).end(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}`);
    },
  ],
  [
    'an answer without end',
    (_, response) => {
      response.writeHead(200, { 'content-type': json });
      response.on('error', () => {}).end(' '.repeat(LONG) + JSON.stringify(OUTCOME));
    },
  ],
  ['an answer that never comes', () => {}],
  [
    'an answer that trickles',
    (request, response) => {
      response.writeHead(200, { 'content-type': json });
      const more = setInterval(() => response.write(' '), 20);
      request.socket.on('close', () => clearInterval(more));
    },
  ],
]);
