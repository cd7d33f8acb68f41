import { useAccount } from '../../session/session-context.ts';
import { useOperation } from '../../wire/queries.ts';
import type { Alarm } from './alarm.ts';
import { texts } from './texts/index.ts';

interface Taker {
  readonly isReader: boolean;
  /** As far as the reader may know it. */
  readonly name: string;
}

/** Who took on an alarm, given as `account:ID` or `operator`, with an e-mail address if the reader may know it; else it is somebody. */
export function useTaker({
  plant: { id: plantId },
  processedBy: by,
  processedByEmail: email,
}: Alarm): Taker {
  const t = texts.useTexts();
  const account = useAccount();
  const id = by?.startsWith('account:') ? by.slice('account:'.length) : undefined;
  const isReader = id === account.id;
  const { data: plant } = useOperation(
    'plant/show',
    { plantId },
    { enabled: id !== undefined && !isReader && email === undefined },
  );
  if (isReader) return { isReader, name: t.you };
  if (by === 'operator') return { isReader, name: t.operator };
  return {
    isReader,
    name: email ?? (id !== undefined && plant?.ownerId === id ? t.owner : t.somebody),
  };
}
