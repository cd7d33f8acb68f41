/** A POST as sent on the wire. */
export function post(path: string, headers: Record<string, string>, body: string): string {
  const fields = Object.entries({
    Host: '127.0.0.1',
    Connection: 'keep-alive',
    ...headers,
    'Content-Length': String(Buffer.byteLength(body)),
  });
  return [
    `POST ${path} HTTP/1.1`,
    ...fields.map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n');
}
