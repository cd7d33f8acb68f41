import type { WireData } from '@helioport/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { Notice } from '../../parts/notice.tsx';
import { useAccount } from '../../session/session-context.ts';
import { useOperation } from '../../wire/queries.ts';
import { texts } from './texts/index.ts';

type Limit = WireData<'control/powerLimits'>[number];

interface PowerLimitsProps {
  readonly plantId: string;
  /** The plant's. */
  readonly zone: string;
}

/** Which inverters produce less than they could because somebody once said so, lest it is forgotten. */
export function PowerLimits({ plantId, zone }: PowerLimitsProps): ReactNode {
  const t = texts.useTexts().limited;
  const formats = useFormats();
  const account = useAccount();
  const { data = [] } = useOperation('control/powerLimits', { plantId });
  if (data.length === 0) return null;
  const who = ({ by, byEmail }: Limit): string => {
    const [kind, id] = (by ?? '').split(':', 2);
    if (kind === 'account' && id === account.id) return t.you;
    return byEmail ?? (kind === 'application' ? t.application : t.somebody);
  };
  return (
    <Notice title={t.title}>
      {data.map((limit) => (
        <p key={limit.deviceId}>
          <Link
            to="/plants/$id/devices/$deviceId"
            params={{ id: plantId, deviceId: limit.deviceId! }}
            hash="settings"
          >
            <bdi>{limit.name ?? limit.sn}</bdi>
          </Link>{' '}
          <bdi>
            {limit.setAt === undefined
              ? t.found(
                  `${formats.number(limit.percent, 0)} %`,
                  formats.dateTime(limit.readAt, zone),
                )
              : t.set(
                  `${formats.number(limit.percent, 0)} %`,
                  who(limit),
                  formats.dateTime(limit.setAt, zone),
                )}
          </bdi>
        </p>
      ))}
    </Notice>
  );
}
