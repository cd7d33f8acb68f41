import { readRequest, type Operation, type ParameterFault } from '@helioport/contract';
import { Failure } from '../../platform/kernel/failure.ts';

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
        ? `a required parameter is missing: ${missingOf(data)}`
        : `${data.field}: expected ${data.expected}`,
  });

/** `one of id, nmiCode` names the field itself; what else is expected of it is said after its name. */
const missingOf = ({ field, expected }: ParameterFault['data']): string =>
  expected?.startsWith('one of ') ? expected : [field, expected].filter(Boolean).join(', ');
