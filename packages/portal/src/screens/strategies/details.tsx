import type { ReactNode } from 'react';
import { useFormats, UNKNOWN } from '../../i18n/formats.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { settingName, settingTexts } from '../../parts/settings/setting-texts.ts';
import { Failed, Loading } from '../../parts/states.tsx';
import { useOperation } from '../../wire/queries.ts';
import { Delivery } from './delivery.tsx';
import styles from './strategies.module.css';
import { texts } from './texts/index.ts';

/** Those of other plants are among them. */
const DEVICES_AT_MOST = 10_000;

/** Why a strategy is paused, as the server says it. */
const BY_HAND = /^parameter (\d+) was written by hand$/;

/** How a strategy goes on each device of a plant, and what they delivered. */
export function Details({ id, plantId, zone }: { readonly id: string; readonly plantId: string; readonly zone: string }): ReactNode {
  const t = texts.useTexts();
  const settings = settingTexts.useTexts();
  const formats = useFormats();
  const { data, error, refetch } = useOperation('strategy/detail', { id, limit: DEVICES_AT_MOST });
  if (!data) return error ? <Failed error={error} again={() => void refetch()} /> : <Loading />;
  const reasonOf = (reason: string): ReactNode => {
    const [, parameter] = BY_HAND.exec(reason) ?? [];
    return parameter === undefined ? <bdi lang="en">{reason}</bdi> : t.byHand(settingName(settings, parameter, ''));
  };
  const targets = (data.targets ?? []).filter((target) => target.plantId === plantId);
  const hasShares = targets.some(({ powerKw }) => powerKw !== undefined);
  return (
    <div className={styles.details}>
      <h4>{t.devices}</h4>
      <DataTable
        caption={t.devices}
        columns={[
          { key: 'device', header: t.device, cell: ({ sn }) => <bdi>{sn}</bdi> },
          {
            key: 'state',
            header: t.state,
            cell: ({ state = 'draft', reason, endedAt, restoredAt }) => (
              <>
                {t.states[state]}
                {reason && (
                  <>
                    {': '}
                    {reasonOf(reason)}
                  </>
                )}
                {endedAt !== undefined && `; ${restoredAt === undefined ? t.notRestored : t.restored(formats.dateTime(restoredAt, zone))}`}
              </>
            ),
          },
          ...(hasShares
            ? [
                {
                  key: 'share',
                  header: t.share,
                  figure: true,
                  cell: ({ powerKw }: (typeof targets)[number]) => (powerKw === undefined ? UNKNOWN : `${formats.number(powerKw, 2)} kW`),
                },
              ]
            : []),
        ]}
        rows={targets}
        keyOf={({ sn }) => sn!}
      />
      <Delivery id={id} devices={new Set(targets.map(({ sn }) => sn!))} zone={zone} />
    </div>
  );
}
