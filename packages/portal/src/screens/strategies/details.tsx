import type { ReactNode } from 'react';
import { Section } from '../../components/layout.tsx';
import { useFormats, UNKNOWN } from '../../i18n/formats.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { useOperation } from '../../wire/queries.ts';
import { Delivery } from './delivery.tsx';
import { Reason } from './reason.tsx';
import { texts } from './texts/index.ts';

/** Those of other plants are among them. */
const DEVICES_AT_MOST = 10_000;

interface DetailsProps {
  readonly id: string;
  readonly plantId: string;
  readonly zone: string;
  readonly isOwner: boolean;
}

/** How a strategy goes on each device of a plant, and what they delivered. */
export function StrategyDetails({ id, plantId, zone, isOwner }: DetailsProps): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const { data, error, refetch } = useOperation('strategy/detail', { id, limit: DEVICES_AT_MOST });
  if (!data) return error ? <Failed error={error} again={() => void refetch()} /> : <Loading />;
  const targets = (data.targets ?? []).filter((target) => target.plantId === plantId);
  const hasShares = targets.some(({ powerKw }) => powerKw !== undefined);
  return (
    <Section component="div">
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
                    <Reason reason={reason} isOwner={isOwner} />
                  </>
                )}
                {endedAt !== undefined &&
                  `; ${restoredAt === undefined ? t.notRestored : t.restored(formats.dateTime(restoredAt, zone))}`}
              </>
            ),
          },
          ...(hasShares
            ? [
                {
                  key: 'share',
                  header: t.share,
                  figure: true,
                  cell: ({ powerKw }: (typeof targets)[number]) =>
                    powerKw === undefined ? UNKNOWN : `${formats.number(powerKw, 2)} kW`,
                },
              ]
            : []),
        ]}
        rows={targets}
        keyOf={({ sn }) => sn!}
      />
      <Delivery id={id} devices={new Set(targets.map(({ sn }) => sn!))} zone={zone} />
    </Section>
  );
}
