import { operationsBy, type OperationIdBy } from '@helioport/contract';
import { url } from '../../../platform/config/kinds.ts';
import { CliUsageFault } from '../installation/faults.ts';

type SignedOperation = OperationIdBy<'signed'>;

/** Operations that take signed requests, by id and by alias. */
const spellings = new Map<string, SignedOperation>(
  operationsBy('signed').flatMap(({ id, aliases = [] }) =>
    [id, ...aliases].map((name) => [name, id] as const),
  ),
);

/** The operation with a name. Throws UsageFault with similar names. */
export function operationNamed(name: string): SignedOperation {
  const id = spellings.get(name);
  if (id !== undefined) return id;
  const near = [...spellings.keys()].filter((known) =>
    known.toLowerCase().includes(name.toLowerCase()),
  );
  throw new CliUsageFault(
    `there is no operation ${JSON.stringify(name)}; known: ${(near.length > 0 ? near : [...spellings.keys()]).join(', ')}`,
  );
}

/** The path of an operation; a path is returned as it is. Throws UsageFault if no operation has the name. */
export function signedPathOf(target: string): string {
  if (target.startsWith('/')) return target;
  operationNamed(target);
  return `/v1/api/${target}`;
}

/** Whether a path belongs to an operation, under either version prefix. */
export const isSignedPath = (path: string): boolean =>
  spellings.has(path.replace(/^\/v[12]\/api\//, ''));

/** A request given on the command line. Throws UsageFault unless it is a JSON object. */
export function jsonObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new CliUsageFault(`the request is not JSON: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new CliUsageFault('the request must be a JSON object');
  return value as Record<string, unknown>;
}

const webAddress = url('http:', 'https:');

/** An address given with an option. Throws UsageFault unless it starts with http: or https:. */
export function httpAddress(text: string, option: string): string {
  const address = webAddress.read(text);
  if (address === undefined)
    throw new CliUsageFault(`${option} takes an address such as http://127.0.0.1:8080`);
  return address;
}
