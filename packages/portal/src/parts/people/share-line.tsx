import type { ShareLevel, WireData } from '@helioport/contract';
import type { ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { useOperation } from '../../wire/queries.ts';
import { texts } from './texts/index.ts';

interface ShareLineProps {
  readonly plantId: string;
  /** Where it is not clear which plant it is. */
  readonly plantName?: string;
  readonly share: WireData<'share/list'>[number];
  readonly zone: string;
}

/** Newest first, so the invitation to a recent share is hardly ever on a later page. */
const PAGE = 100;

/** What somebody may do with a plant, and since when: since they accepted, if they were invited. */
export function ShareLine({
  plantId,
  plantName,
  share: { email, level, createdAt },
  zone,
}: ShareLineProps): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const { data } = useOperation('invitation/list', { pageNo: 1, pageSize: PAGE });
  const accepted = data?.records.find(
    (one) =>
      one.direction === 'sent' &&
      one.state === 'accepted' &&
      one.plantId === plantId &&
      one.to === email &&
      (one.answeredAt ?? 0) >= createdAt,
  );
  const since = accepted
    ? t.acceptedOn(formats.dateTime(accepted.answeredAt, zone))
    : t.since(formats.dateTime(createdAt, zone));
  return <bdi>{`${t.may[level as ShareLevel](plantName ?? t.thePlant)} ${since}`}</bdi>;
}
