import { parameterSentence } from '../describe.ts';
import type { JsonSchema } from '../json-schema.ts';
import type { Operation } from '../operation.ts';

/** The schema of a request body. */
export function requestSchema({
  request,
  needsOneOf,
  atMostOneOf,
  allOrNoneOf,
}: Operation): JsonSchema {
  const parameters = Object.values(request);
  const names = parameters.filter(({ required }) => required).map(({ names: [name] }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map((parameter) => [
        parameter.names[0],
        { ...parameter.schema, description: parameterSentence(parameter) },
      ]),
    ),
    ...(names.length > 0 && { required: names }),
    ...(needsOneOf !== undefined && {
      anyOf: needsOneOf.map((name) => ({ required: [request[name]!.names[0]] })),
    }),
    ...(atMostOneOf !== undefined && {
      not: { required: atMostOneOf.map((name) => request[name]!.names[0]) },
    }),
    ...(allOrNoneOf !== undefined && {
      dependentRequired: dependencies(allOrNoneOf.map((name) => request[name]!.names[0])),
    }),
  };
}

const dependencies = (names: readonly string[]): Record<string, string[]> =>
  Object.fromEntries(names.map((name) => [name, names.filter((other) => other !== name)]));
