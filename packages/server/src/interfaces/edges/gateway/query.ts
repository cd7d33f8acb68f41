import type { FastifyRequest } from 'fastify';
import { Failure } from '../../../platform/kernel/failure.ts';

const WAIT_SECONDS_AT_MOST = 60;

/** How long a collector wants to wait for instructions: `?wait=30`, in seconds; 0 without it. Throws malformedRequest. */
export function waitMsOf(request: FastifyRequest): number {
  const [wait = '0', ...others] = valuesOf(request, 'wait');
  const seconds = /^\d{1,4}$/.test(wait) ? Number(wait) : NaN;
  if (others.length > 0 || !(seconds <= WAIT_SECONDS_AT_MOST))
    throw new Failure('malformedRequest', {
      message: `wait must be a whole number of seconds from 0 to ${WAIT_SECONDS_AT_MOST}, once`,
    });
  return seconds * 1000;
}

/** Whether a report was kept during an outage: `?backlog=true`. Throws malformedRequest. */
export function isBacklog(request: FastifyRequest): boolean {
  const [backlog = 'false', ...others] = valuesOf(request, 'backlog');
  if (others.length > 0 || (backlog !== 'true' && backlog !== 'false'))
    throw new Failure('malformedRequest', { message: 'backlog must be true or false, once' });
  return backlog === 'true';
}

const valuesOf = ({ raw }: FastifyRequest, name: string): string[] =>
  new URLSearchParams(raw.url!.split('?')[1] ?? '').getAll(name);
