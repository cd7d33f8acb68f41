import { useOperation } from '../../../wire/queries.ts';
import { useAccount } from '../../../session/session-context.ts';
import type { Command } from '../../../parts/settings/command.ts';
import { texts } from '../texts/index.ts';

/**
 * Names for those who request commands, who are given as `account:ID`, `key:ID`, `application:ID`, `operator` or `service`, with an e-mail address if one may
 * know it; else they are somebody.
 */
export function useRequesters(isOwner: boolean): (command: Command) => string {
  const t = texts.useTexts();
  const account = useAccount();
  const { data: grants = [] } = useOperation('grant/list', {}, { enabled: isOwner });
  const { data: keys = [] } = useOperation('key/list', {}, { enabled: isOwner });
  return ({ by = '', byEmail }) => {
    const [kind, id] = by.split(':', 2) as [string, string | undefined];
    switch (kind) {
      case 'account':
        return id === account.id ? t.you : (byEmail ?? t.somebody);
      case 'application':
        return (
          grants.find(({ applicationId }) => applicationId === id)?.applicationName ??
          t.anApplication
        );
      case 'key':
        return keys.find(({ keyId }) => keyId === id)?.label || (byEmail ?? t.aKey);
      case 'operator':
        return t.operator;
      default:
        return t.service;
    }
  };
}
