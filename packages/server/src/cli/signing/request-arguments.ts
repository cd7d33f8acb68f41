import { operationsBy, type OperationIdBy } from '@helioport/contract';
import { UsageFault } from '../installation/faults.ts';

type SignedOperation = OperationIdBy<'signed'>;

/** Every spelling of every operation that takes signed requests, and the operation. */
const spellings = new Map<string, SignedOperation>(
  operationsBy('signed').flatMap(({ id, aliases = [] }) => [id, ...aliases].map((name) => [name, id] as const)),
);

/** The operation of that name. Throws UsageFault with what comes near. */
export function operationNamed(name: string): SignedOperation {
  const id = spellings.get(name);
  if (id !== undefined) return id;
  const near = [...spellings.keys()].filter((known) => known.toLowerCase().includes(name.toLowerCase()));
  throw new UsageFault(`no operation ${JSON.stringify(name)}; there are: ${(near.length > 0 ? near : [...spellings.keys()]).join(', ')}`);
}

/** The path of an operation, or the path itself. Throws UsageFault when no operation has such a name. */
export function signedPathOf(target: string): string {
  if (target.startsWith('/')) return target;
  operationNamed(target);
  return `/v1/api/${target}`;
}

/** Whether a path is that of an operation, under either of its prefixes. */
export const isSignedPath = (path: string): boolean => spellings.has(path.replace(/^\/v[12]\/api\//, ''));

/** A request written on the command line. Throws UsageFault unless it is a JSON object. */
export function jsonObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageFault(`the request is not JSON: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new UsageFault('the request has to be a JSON object');
  return value as Record<string, unknown>;
}

/** An address that was given with an option. Throws UsageFault unless it begins with http: or https:. */
export function httpAddress(text: string, option: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) throw new UsageFault(`${option} takes an address such as http://127.0.0.1:8080`);
  return text.replace(/\/+$/, '');
}
