import { isDisconnected } from '@helioport/contract/plant-connection';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { Notice } from '../../parts/notice.tsx';
import { useConnectionWords, type Connected } from '../../parts/plants/connection.ts';
import { useWaiting } from '../../parts/plants/use-waiting.ts';
import { texts } from './texts/index.ts';

interface ConnectionCardProps {
  readonly plantId: string;
  readonly connected: Connected;
  /** Whether the reader may bind devices. */
  readonly isOwner: boolean;
}

/** Why a plant's figures are not of this moment, and what to do about it; nothing while they are. */
export function ConnectionCard({
  plantId: id,
  connected,
  isOwner,
}: ConnectionCardProps): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const words = useConnectionWords()(connected);
  const hasMeasured = connected.measuredAt !== undefined;
  const waiting = useWaiting(id, { enabled: isOwner && !hasMeasured });
  if (!words) return null;
  const { connection } = connected;
  const bind = (label: string): ReactNode =>
    isOwner && (
      <Link to="/plants/$id/settings" params={{ id }} search={{ bind: true }}>
        {label}
      </Link>
    );
  if (waiting.length > 0)
    return (
      <Notice title={t.waiting(waiting.length, formats.number(waiting.length, 0))}>
        {bind(t.bindThem(waiting.length))}
      </Notice>
    );
  const isUnbound = connection === 'noCollector' || connection === 'noDevices';
  return (
    <Notice title={words.what} kind={isDisconnected(connection) ? 'warn' : 'info'}>
      {words.advice !== undefined && (isOwner || !isUnbound) && <p>{words.advice}</p>}
      {isUnbound && bind(t.bindDevice)}
    </Notice>
  );
}
