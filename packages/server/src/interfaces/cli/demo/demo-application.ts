import { timerPause } from '@helioport/collector';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { application } from './demo-fleet.ts';
import { EVENTS_PATH, type DemoReceiver } from './demo-receiver.ts';
import { keepStrategy, type AskOperation } from './keep-strategy.ts';

export interface DemoApplicationPlace {
  readonly oauthUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The authorization code that the owner's consent has yielded. */
  readonly code: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Where its events are to arrive. */
  readonly receiver: Pick<DemoReceiver, 'eventsUrl' | 'expect'>;
}

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  /** Seconds. */
  readonly expires_in: number;
}

/** The server no longer lets the application in. */
class Refused extends Error {
  override readonly name = 'Refused';
}

const ROUND_MS = 300_000;

/**
 * The demo's application, which calls the OAuth interface as any other one does: it has its events sent to it; every five minutes it reads how its
 * batteries are, and sees to the strategy of one of them. Ends with the signal, or when it is no longer let in.
 */
export async function runDemoApplication(place: DemoApplicationPlace): Promise<void> {
  const { clock, signal } = place;
  const redirectUri = application.redirectUri;
  try {
    let tokens = await exchange(place, {
      grant_type: 'authorization_code',
      code: place.code,
      redirect_uri: redirectUri,
    });
    let renewAt = renewalOf(tokens, clock);
    await subscribe(place);
    for (;;) {
      await round(place, tokens).catch(endIfRefused);
      await timerPause(ROUND_MS, signal);
      if (clock.now() < renewAt) continue;
      tokens = await exchange(place, {
        grant_type: 'refresh_token',
        refresh_token: tokens.refresh_token,
      });
      renewAt = renewalOf(tokens, clock);
    }
  } catch (error) {
    if (!signal.aborted && !(error instanceof Refused)) throw error;
  }
}

/** What the server could not answer is asked for in the next round. */
function endIfRefused(error: unknown): void {
  if (error instanceof Refused) throw error;
}

const renewalOf = ({ expires_in }: Tokens, clock: Clock): number => clock.now() + expires_in * 500;

const basic = ({ clientId, clientSecret }: DemoApplicationPlace): string =>
  `Basic ${btoa(`${clientId}:${clientSecret}`)}`;

/** Has events sent to the receiver, a snapshot of the present first. What earlier starts had is over: their receivers have gone. */
async function subscribe(place: DemoApplicationPlace): Promise<void> {
  const { oauthUrl, receiver, signal } = place;
  const ask = async (id: string, request: object): Promise<unknown> => {
    const headers = { Authorization: basic(place), 'Content-Type': 'application/json' };
    const response = await fetch(`${oauthUrl}/oauth/forwarding/${id}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(request),
      signal,
    });
    const { success, data, msg } = (await response.json()) as {
      success: boolean;
      data: unknown;
      msg: string;
    };
    if (!success) throw new Error(`forwarding/${id}: ${msg}`);
    return data;
  };
  for (const { id, url } of (await ask('list', {})) as { id: string; url: string }[])
    if (url.endsWith(`/${EVENTS_PATH}`)) await ask('remove', { id });
  const { secret } = (await ask('add', { url: receiver.eventsUrl, batches: 1, snapshot: 1 })) as {
    secret: string;
  };
  receiver.expect(secret);
}

async function exchange(
  place: DemoApplicationPlace,
  form: Record<string, string>,
): Promise<Tokens> {
  const { oauthUrl, signal } = place;
  const headers = { Authorization: basic(place) };
  const response = await fetch(`${oauthUrl}/oauth/token`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(form),
    signal,
  });
  if (!response.ok) throw new Refused(`the token endpoint answered ${response.status}`);
  return (await response.json()) as Tokens;
}

async function round(
  { oauthUrl, clock, signal }: DemoApplicationPlace,
  { access_token }: Tokens,
): Promise<void> {
  const asker =
    (scope: string): AskOperation =>
    async (id, body) => {
      const headers = {
        Authorization: `Bearer ${access_token}`,
        'Content-Type': 'application/json',
      };
      const response = await fetch(`${oauthUrl}/api/${scope}/${id}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
        signal,
      });
      if (response.status === 401) throw new Refused('the token is not accepted');
      return (await response.json()) as { code: string; data: unknown };
    };
  const read = asker('access_data');
  await read('userStationList', {});
  for (const sn of application.batteries) await read('inverterDetail', { sn });
  await keepStrategy(asker('control_device'), application.batteries[0], clock.now());
}
