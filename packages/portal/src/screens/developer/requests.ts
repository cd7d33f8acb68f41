import { quoted } from '../../parts/developer/signed-request.ts';
import type { ShownApplication } from './application-state.tsx';
import type { Challenge } from './challenge.ts';

type Registered = Pick<ShownApplication, 'clientId' | 'redirectUri' | 'scopes'>;

/** The address that an owner’s browser is sent to. */
export function authorizeUrl(
  oauthUrl: string,
  { clientId = '', redirectUri = '', scopes = [] }: Registered,
  { state, challenge }: Challenge,
): string {
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  };
  const query = Object.entries(parameters).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  );
  return `${oauthUrl}/oauth/authorize?${query.join('&')}`;
}

/** The exchange of the code that came back, as a command. */
export const tokenRequest = (
  oauthUrl: string,
  { clientId = '', redirectUri = '' }: Registered,
  { verifier }: Challenge,
): string =>
  `curl -sS ${quoted(`${oauthUrl}/oauth/token`)} -u "${clientId}:$CLIENT_SECRET" \\
  --data-urlencode 'grant_type=authorization_code' \\
  --data-urlencode "code=$CODE" \\
  --data-urlencode ${quoted(`redirect_uri=${redirectUri}`)} \\
  --data-urlencode ${quoted(`code_verifier=${verifier}`)}`;

/** How an application adds a destination; a session alone does not, so that a stolen one sends nothing elsewhere. */
export const destinationRequest = (oauthUrl: string, clientId: string): string =>
  `curl -sS ${quoted(`${oauthUrl}/oauth/forwarding/add`)} -u "${clientId}:$CLIENT_SECRET" \\
  -H 'Content-Type: application/json' \\
  --data '{"url": "https://receiver.example/events"}'`;
