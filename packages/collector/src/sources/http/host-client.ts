import { AnswerTooLong, leanFetch, singleConnection } from '../../http/lean-fetch.ts';
import { shown } from '../../answers/shapes.ts';
import { addressText } from '../../bus/address.ts';
import { SourceFault, type Credentials, type SourceCounters } from '../source.ts';
import { authorization, challengesIn, type Challenge, type Scheme } from './authorization.ts';

export interface HostClientOptions {
  /** As it is written in the file, for messages. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly credentials?: Credentials | undefined;
  /** How this kind of device asks who it is; whoever asks in another way is not told. */
  readonly schemes: readonly Scheme[];
  /** What to do about a device that asks in another way. */
  readonly schemeRemedy?: string;
  /** What to do if nothing listens there. */
  readonly closedRemedy: string;
}

/** Asks a device for JSON, over one connection. */
export interface HostClient {
  readonly counters: SourceCounters;
  /** Rejects with SourceFault; `NotFound` if the device does not know the path. */
  get(path: string, signal: AbortSignal): Promise<unknown>;
  /** Closes the connection. */
  release(): void;
}

/** The device answers, but has not got what was asked for. */
export class NotFound extends SourceFault {}

const LIMIT_MS = 5_000;
const LONGEST = 262_144;

export function createHostClient({
  name,
  host,
  port,
  credentials,
  schemes,
  schemeRemedy = 'is this the device itself?',
  closedRemedy,
}: HostClientOptions): HostClient {
  const base = addressText({ kind: 'tcp', host, port }).replace(/^tcp/, 'http');
  let agent = singleConnection();
  let challenge: Challenge | undefined;
  const counters: SourceCounters = { timeouts: 0, strays: 0, reconnects: 0 };

  async function exchange(
    path: string,
    signal: AbortSignal,
  ): Promise<{ status: number; asked: string | null; text: string }> {
    const proof =
      challenge !== undefined && credentials
        ? authorization(challenge, 'GET', path, credentials.user, credentials.password())
        : undefined;
    const answer = await leanFetch(`${base}${path}`, {
      agent,
      headers: { accept: 'application/json', ...(proof && { authorization: proof }) },
      signal: AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]),
      bytesAtMost: LONGEST,
    }).catch((error: NodeJS.ErrnoException) => {
      throw faultOf(error);
    });
    const { status, headers } = answer;
    return { status, asked: headers.get('www-authenticate'), text: await answer.text() };
  }

  /** The challenge that is answered: the strongest of those that this kind of device may make. */
  function answerable(header: string): Challenge {
    const made = challengesIn(header);
    const found = schemes
      .map((scheme) => made.find((one) => one.scheme === scheme))
      .find((one) => one !== undefined);
    if (found) return found;
    const names = shown(made.map(({ scheme }) => scheme).join(', ') || 'an unknown scheme', 60);
    throw new SourceFault(
      `${name} asks for the password by ${names}, and gets it by ${schemes.join(' or ')} only: ${schemeRemedy}`,
    );
  }

  function faultOf(cause: NodeJS.ErrnoException): SourceFault {
    release();
    counters.reconnects++;
    if (cause instanceof AnswerTooLong)
      return new SourceFault(`${name} sends more than ${LONGEST} bytes`, { cause });
    if (cause.code === 'ECONNREFUSED')
      return new SourceFault(`${name} is closed: ${closedRemedy}`, { cause });
    if (cause.name === 'AbortError' || cause.name === 'TimeoutError') {
      counters.timeouts++;
      return new SourceFault(
        `${name} does not answer; is it switched on, and in the same network?`,
        { cause },
      );
    }
    if (cause.code === 'ENOTFOUND' || cause.code === 'EAI_AGAIN')
      return new SourceFault(`${name}: no host has this name`, { cause });
    counters.strays++;
    return new SourceFault(
      `${name} does not speak HTTP, or ends the connection (${cause.code ?? cause.message})`,
      { cause },
    );
  }

  function release(): void {
    agent.destroy();
    agent = singleConnection();
  }

  return {
    counters,
    release,
    async get(path, signal) {
      let answer = await exchange(path, signal);
      if (answer.status === 401 && answer.asked !== null && credentials) {
        challenge = answerable(answer.asked);
        answer = await exchange(path, signal);
      }
      const { status, text } = answer;
      if (status === 401 || status === 403)
        throw new SourceFault(
          credentials
            ? `${name} refuses the password in password-file`
            : `${name} wants a password: put it into a file, and write password-file: FILE at the device`,
        );
      if (status === 404 || status === 400 || status === 405)
        throw new NotFound(`${name} does not know ${path} (status ${status})`);
      if (status !== 200) throw new SourceFault(`${name} answers ${path} with status ${status}`);
      try {
        return JSON.parse(text) as unknown;
      } catch (cause) {
        counters.strays++;
        throw new NotFound(`${name} answers ${path} with something that is no JSON`, { cause });
      }
    },
  };
}

/** The member of a map; undefined if it is none. */
export const member = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, name)
        ? (inner as Record<string, unknown>)[name]
        : undefined,
    value,
  );

/** A text that may be a name; undefined for anything else. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\x20-\x7e]{1,64}$/.test(value.trim()) ? value.trim() : undefined;

/** All numbers of a map and of the maps in it, by their paths: `aenergy.total`. */
export function numbersIn(value: unknown, deepest = 3, path = ''): Map<string, number> {
  const found = new Map<string, number>();
  if (typeof value !== 'object' || value === null) return found;
  for (const [name, inner] of Object.entries(value)) {
    const here = path === '' ? name : `${path}.${name}`;
    if (typeof inner === 'number' && Number.isFinite(inner)) found.set(here, inner);
    else if (deepest > 1)
      for (const [deeper, number] of numbersIn(inner, deepest - 1, here)) found.set(deeper, number);
  }
  return found;
}
