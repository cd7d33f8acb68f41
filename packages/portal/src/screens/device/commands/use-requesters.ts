import { useOperation } from '../../../wire/queries.ts';
import { useAccount } from '../../../session/session-context.ts';
import { texts } from '../texts/index.ts';

/**
 * Names for those who request commands, who are told as `account:ID`, `key:ID`, `application:ID`, `operator` or `service`. Only owners may know who else has
 * access; to others they are somebody.
 */
export function useRequesters(plantId: string, isOwner: boolean): (actor: string) => string {
  const t = texts.useTexts();
  const account = useAccount();
  const { data: shares = [] } = useOperation('share/list', { plantId }, { enabled: isOwner });
  const { data: grants = [] } = useOperation('grant/list', {}, { enabled: isOwner });
  const { data: keys = [] } = useOperation('key/list', {}, { enabled: isOwner });
  return (actor) => {
    const [kind, id] = actor.split(':', 2) as [string, string | undefined];
    switch (kind) {
      case 'account':
        return id === account.id ? t.you : (shares.find(({ accountId }) => accountId === id)?.email ?? t.somebody);
      case 'application':
        return grants.find(({ applicationId }) => applicationId === id)?.applicationName ?? t.anApplication;
      case 'key':
        return keys.find(({ keyId }) => keyId === id)?.label || t.aKey;
      case 'operator':
        return t.operator;
      default:
        return t.service;
    }
  };
}
