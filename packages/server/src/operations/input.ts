import { readRequest, type Operation, type ParameterFault } from '@helioport/contract';
import { Failure } from '../kernel/failure.ts';

/** Reads a handler's input from a request, as the contract declares it; all doors use this. Throws missingParameter, invalidValue. */
export function inputOf(
  operation: Pick<Operation, 'request' | 'needsOneOf' | 'atMostOneOf' | 'allOrNoneOf'>,
  request: Readonly<Record<string, unknown>>,
): object {
  const reading = readRequest(operation, request);
  if ('fault' in reading) throw parameterFailure(reading.fault);
  return reading.input;
}

const parameterFailure = ({ error, data }: ParameterFault): Failure =>
  new Failure(error, {
    data,
    message:
      error === 'missingParameter'
        ? `a required parameter is missing: ${[data.field, data.expected].filter(Boolean).join(', ')}`
        : `${data.field}: expected ${data.expected}`,
  });
