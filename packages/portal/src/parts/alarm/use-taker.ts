import { useAccount } from '../../session/session-context.ts';
import { useOperation } from '../../wire/queries.ts';
import { texts } from './texts/index.ts';

interface Taker {
  readonly isReader: boolean;
  /** As far as the reader may know it. */
  readonly name: string;
}

/**
 * Who took on an alarm, told as `account:ID` or `operator`: owners know with whom they share their plants, and colleagues know each other.
 * To others it is somebody.
 */
export function useTaker(plantId: string, by: string | undefined): Taker {
  const t = texts.useTexts();
  const account = useAccount();
  const id = by?.startsWith('account:') ? by.slice('account:'.length) : undefined;
  const isReader = id === account.id;
  const enabled = id !== undefined && !isReader;
  const { data: plant } = useOperation('stationDetail', { id: plantId }, { enabled });
  const { data: company } = useOperation('company/show', {}, { enabled });
  const { data: shares } = useOperation('share/list', { plantId }, { enabled: enabled && plant?.userId === account.id });
  if (isReader) return { isReader, name: t.you };
  if (by === 'operator') return { isReader, name: t.operator };
  const colleague = company?.members?.find(({ accountId }) => accountId === id);
  const sharer = shares?.find(({ accountId }) => accountId === id);
  return { isReader, name: colleague?.name || colleague?.email || sharer?.email || (plant?.userId === id && id !== undefined ? t.owner : t.somebody) };
}
