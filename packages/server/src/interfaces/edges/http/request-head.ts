import type { IncomingMessage, Server } from 'node:http';
import { Failure } from '../../../platform/kernel/failure.ts';

/** Throws malformedRequest if a header was sent more than once: Node keeps the first, while a proxy in front may have used another. */
export function refuseRepeated(
  { rawHeaders }: IncomingMessage,
  name: 'Host' | 'Authorization',
): void {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (
      rawHeaders[i]!.length === name.length &&
      rawHeaders[i]!.toLowerCase() === name.toLowerCase() &&
      ++count > 1
    )
      throw new Failure('malformedRequest', {
        data: { field: name },
        message: `the header ${name} was sent more than once`,
      });
}

/** Checks what every listener requires of a request's head, for all paths. Throws malformedRequest, expectationFailed. */
export function checkHead(request: IncomingMessage): void {
  const { host, expect } = request.headers;
  // RFC 9112 3.2
  if (host === undefined && request.httpVersion === '1.1')
    throw new Failure('malformedRequest', { message: 'the header Host is missing' });
  refuseRepeated(request, 'Host');
  // RFC 9110 10.1.1
  if (expect !== undefined && !/^100-continue$/i.test(expect))
    throw new Failure('expectationFailed');
}

/**
 * Node would refuse certain Expect headers with an empty answer. This passes such requests on to `checkHead`, so that they are refused in the
 * listener's own form.
 */
export const admitExpectations = (server: Server): Server =>
  server.on(
    'checkExpectation',
    (request, response) => void server.emit('request', request, response),
  );
