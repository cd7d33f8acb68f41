import { isActive, listApplications } from '../../../identity/oauth/applications.ts';
import type { CliContext } from '../context.ts';
import { ok, warning, type DoctorFinding } from './finding.ts';

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** The checks of `helioport doctor` that concern the OAuth interface. */
export const oauthChecks: Readonly<
  Record<string, (context: CliContext) => Promise<DoctorFinding>>
> = {
  'OAuth transport': async (context) => {
    const { oauthUrl, trustedProxies, host } = context.config();
    if (oauthUrl.startsWith('https:') && trustedProxies.length === 0)
      return warning(
        `${oauthUrl} is https, but HELIOPORT_TRUSTED_PROXIES is empty: no proxy is trusted to say that a request came over TLS, so all requests are refused; set it to the address of the proxy`,
      );
    if (oauthUrl.startsWith('http:') && !['127.0.0.1', '::1', 'localhost'].includes(host))
      return warning(
        `${oauthUrl} is http and ${host} can be reached from elsewhere: tokens, codes and passwords would travel unencrypted; put a proxy that terminates TLS in front, and set HELIOPORT_OAUTH_URL to its https address`,
      );
    return ok(oauthUrl);
  },
  'OAuth callbacks': async (context) => {
    const { db } = await context.storage();
    const active = (await listApplications(db)).filter(isActive);
    const open = active
      .filter(({ redirectUri }) => redirectUri.startsWith('http:'))
      .map(({ name }) => name);
    if (open.length > 0)
      return warning(
        `these applications have an http callback address: ${open.join(', ')} (app change NAME --redirect-uri https://...)`,
      );
    const unproven = active
      .filter(({ challengeRequired }) => challengeRequired === 0)
      .map(({ name }) => name);
    if (unproven.length > 0)
      return warning(
        `these applications do not have to use PKCE, which RFC 9700 recommends: ${unproven.join(', ')} (app change NAME --require-pkce)`,
      );
    return ok(`${active.length} active`);
  },
  'OAuth lifetimes': async (context) => {
    const {
      oauthAccessTokenSeconds,
      oauthRefreshTokenSeconds,
      oauthCodeSeconds,
      oauthBenignReuseSeconds,
    } = context.config();
    if (oauthAccessTokenSeconds > DAY_SECONDS)
      return warning(
        `access tokens are valid for ${oauthAccessTokenSeconds} s; the specification allows one day: set HELIOPORT_OAUTH_ACCESS_TOKEN_SECONDS to 86400 or less`,
      );
    if (oauthRefreshTokenSeconds > 30 * DAY_SECONDS)
      return warning(
        `refresh tokens are valid for ${oauthRefreshTokenSeconds} s; the specification allows 30 days: set HELIOPORT_OAUTH_REFRESH_TOKEN_SECONDS to 2592000 or less`,
      );
    if (oauthBenignReuseSeconds > 10)
      return warning(
        `a stolen refresh token goes unnoticed for ${oauthBenignReuseSeconds} s after its use: set HELIOPORT_OAUTH_BENIGN_REUSE_SECONDS to 10 or less`,
      );
    return ok(
      `code ${oauthCodeSeconds / 60} min, access token ${oauthAccessTokenSeconds / HOUR_SECONDS} h, refresh token ${oauthRefreshTokenSeconds / DAY_SECONDS} d`,
    );
  },
};
