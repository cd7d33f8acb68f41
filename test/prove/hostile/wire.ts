import type { Chance } from './chance.ts';

/** What goes over a socket. `framed` when its end is clear, so that further requests may follow on the same connection. */
export interface Wire {
  readonly bytes: Buffer;
  readonly framed: boolean;
  /** The answer to HEAD has a length but no body. */
  readonly head: boolean;
}

export interface Parts {
  method: string;
  target: string;
  headers: [string, string][];
  body: Buffer;
}

/** Writes a request properly, or once in a while as no parser likes it. */
export function wireOf(chance: Chance, parts: Parts): Wire {
  return chance.oneIn(12) ? brokenFraming(chance, parts) : proper(parts);
}

function proper({ method, target, headers, body }: Parts): Wire {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: localhost',
    ...headers.map((pair) => pair.join(': ')),
    `Content-Length: ${body.length}`,
    '',
    '',
  ];
  return {
    bytes: Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), body]),
    framed: true,
    head: method === 'HEAD',
  };
}

// Never HEAD: whether an answer to it has a body depends on what the parser made of it.
function brokenFraming(chance: Chance, { method: wanted, target, headers, body }: Parts): Wire {
  const method = wanted === 'HEAD' ? 'GET' : wanted;
  const given = headers.map((pair) => pair.join(': '));
  const heads: (() => string[])[] = [
    () => [
      `${method} ${target} HTTP/1.1`,
      'Host: localhost',
      ...given,
      `Content-Length: ${body.length + 1 + chance.below(50)}`,
    ],
    () => [
      `${method} ${target} HTTP/1.1`,
      'Host: localhost',
      ...given,
      `Content-Length: ${body.length}`,
      `Content-Length: ${body.length + 1}`,
    ],
    () => [`${method} ${target} HTTP/1.1`, 'Host: localhost', ...given, 'Content-Length: -1'],
    () => [
      `${method} ${target} HTTP/1.1`,
      'Host: localhost',
      ...given,
      'Content-Length: 99999999999999999999',
    ],
    () => [
      `${method} ${target} HTTP/1.1`,
      'Host: localhost',
      ...given,
      'Transfer-Encoding: chunked',
      `Content-Length: ${body.length}`,
    ],
    () => [
      `${method} ${target} HTTP/1.1`,
      'Host: localhost',
      ...given,
      'Transfer-Encoding: chunked',
    ],
    () => [
      `${method} ${target} HTTP/1.1`,
      'Host: localhost',
      ...given,
      'Transfer-Encoding: gzip, chunked',
    ],
    () => [`${method} ${target} HTTP/9.9`, ...given],
    () => [`${method} ${target}`],
    () => [`${method}\t${target}\tHTTP/1.1`, 'Host: localhost'],
    () => [`${method} ${target} HTTP/1.1`, ...given, `Content-Length: ${body.length}`],
    () => [
      `${method} ${target} HTTP/1.1`,
      'Host: localhost',
      'Expect: 100-continue',
      ...given,
      `Content-Length: ${body.length}`,
    ],
    () => [
      `${method} ${target} HTTP/1.1`,
      'Host: localhost',
      'Upgrade: websocket',
      'Connection: Upgrade',
      ...given,
      `Content-Length: ${body.length}`,
    ],
    () => [
      `${method} ${target} HTTP/1.1`,
      'Host: localhost',
      `X-Long: ${'x'.repeat(chance.below(40_000))}`,
      ...given,
    ],
    () => [
      `${method} ${target} HTTP/1.1`,
      'Host: localhost',
      ...Array.from({ length: chance.below(3000) }, (_, i) => `X${i}: 1`),
    ],
    () => [`${method} ${target} HTTP/1.1`, 'Host: localhost', ' folded: yes', ...given],
    () => [`${method} ${target} HTTP/1.1`, 'Host: localhost', 'No colon here', ...given],
    () => [`${method} ${target} HTTP/1.1`, 'Host: localhost', 'Bad\0Name: 1', ...given],
    () => [`PRI * HTTP/2.0`],
    () => [chance.bytes(chance.below(200)).toString('latin1')],
  ];
  const end = chance.pick(['\r\n', '\r\n', '\r\n', '\n', '\r']);
  return {
    bytes: Buffer.concat([
      Buffer.from([...chance.pick(heads)(), '', ''].join(end), 'latin1'),
      body,
    ]),
    framed: false,
    head: false,
  };
}
