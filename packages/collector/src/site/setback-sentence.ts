import type { Setback } from '../link.ts';
import type { SiteConfig } from './config/site-config.ts';

/** What keeps reports from being delivered, and what to do; nothing is lost meanwhile. */
export function setbackSentence(
  { cause, reason }: Setback,
  { gateway, tokenFile, dataFolder }: Pick<SiteConfig, 'gateway' | 'tokenFile' | 'dataFolder'>,
): string {
  if (cause === 'barred')
    return (
      `${gateway} refuses the token: ${reason}; issue another with helioport collector rotate and put it ` +
      `into ${tokenFile}, which is read again by itself; readings are kept`
    );
  if (cause === 'malformed')
    return `${gateway} did not take a report, which was dropped: ${reason}; is its version older?`;
  if (reason.startsWith('the backlog'))
    return `${reason}; readings are kept in memory only: make room on the disk of ${dataFolder}`;
  if (/CERT_NOT_YET_VALID|CERT_HAS_EXPIRED/.test(reason))
    return `${gateway}: ${reason}; is this machine's clock right? Readings are kept and delivered later`;
  return `${gateway}: ${reason}; readings are kept and delivered later`;
}
