import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Actions, Note, Section, Soft } from '../../components/layout.tsx';
import { UNKNOWN, useFormats } from '../../i18n/formats.ts';
import { sheetTime } from '../../i18n/plant-time.ts';
import { csvName } from '../../parts/csv/csv-name.ts';
import { downloadCsv } from '../../parts/csv/download-csv.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { DownloadIcon } from '../../parts/icons.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { useOperation } from '../../wire/queries.ts';
import { texts } from './texts/index.ts';

/** Devices of one answer. */
const DEVICES_AT_MOST = 50;
/** Rows that are shown at first. */
const ROWS = 24;

interface DeliveryProps {
  /** Of the strategy. */
  readonly id: string;
  /** Serial numbers of the plant's devices. */
  readonly devices: ReadonlySet<string>;
  readonly zone: string;
}

/** What the devices of a plant were asked for and what they delivered, in parts of at most a quarter of an hour. */
export function Delivery({ id, devices, zone }: DeliveryProps): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const [shown, setShown] = useState(ROWS);
  const { data, error, refetch } = useOperation('strategy/delivery', {
    id,
    limit: DEVICES_AT_MOST,
  });
  if (!data) return error ? <Failed error={error} again={() => void refetch()} /> : <Loading />;
  const rows = (data.rows ?? [])
    .filter(({ sn }) => devices.has(sn!))
    .toSorted((a, b) => b.startAt! - a.startAt!);
  const kw = (value: number | null | undefined): string =>
    value == null ? UNKNOWN : `${formats.number(value, 2)} kW`;
  const save = (): void =>
    downloadCsv(
      {
        name: csvName(t.delivery, id),
        rows: [
          [
            `${t.time} (${zone})`,
            `${t.time} (UTC)`,
            t.device,
            `${t.asked} (kW)`,
            `${t.measured} (kW)`,
            `${t.without} (kW)`,
            `${t.delivered} (kWh)`,
          ],
          ...rows.map(({ sn, startAt, askedKw, measuredKw, baselineKw, deliveredKwh }) => [
            sheetTime(startAt!, zone),
            sheetTime(startAt!, 'UTC'),
            sn,
            askedKw,
            measuredKw,
            baselineKw,
            deliveredKwh,
          ]),
        ],
      },
      formats.decimal,
    );
  const measured = rows.filter(({ deliveredKwh }) => deliveredKwh != null);
  const sum = measured.reduce((total, { deliveredKwh }) => total + (deliveredKwh ?? 0), 0);
  const { value, unit } = formats.energy(Math.abs(sum));
  return (
    <Section component="div">
      <Soft>
        {rows.length === 0
          ? t.noDelivery
          : measured.length > 0 && (sum < 0 ? t.takenSum : t.deliveredSum)(`${value} ${unit}`)}
      </Soft>
      {data.next !== undefined && <Note>{t.deliveryPart(formats.number(DEVICES_AT_MOST, 0))}</Note>}
      {rows.length > 0 && (
        <>
          <Note>{t.deliveryLead}</Note>
          <DataTable
            caption={t.delivery}
            columns={[
              {
                key: 'time',
                header: t.time,
                cell: ({ startAt, endAt }) =>
                  `${formats.dateTime(startAt, zone)} – ${formats.time(endAt, zone)}`,
              },
              { key: 'device', header: t.device, cell: ({ sn }) => <bdi>{sn}</bdi> },
              { key: 'asked', header: t.asked, figure: true, cell: ({ askedKw }) => kw(askedKw) },
              {
                key: 'measured',
                header: t.measured,
                figure: true,
                cell: ({ measuredKw }) => kw(measuredKw),
              },
              {
                key: 'without',
                header: t.without,
                figure: true,
                cell: ({ baselineKw }) => kw(baselineKw),
              },
              {
                key: 'delivered',
                header: t.delivered,
                figure: true,
                cell: ({ deliveredKwh }) =>
                  deliveredKwh == null ? UNKNOWN : `${formats.number(deliveredKwh, 2)} kWh`,
              },
            ]}
            rows={rows.slice(0, shown)}
            keyOf={({ sn, startAt }) => `${sn} ${startAt}`}
          />
          <Actions>
            {rows.length > shown && (
              <Button variant="default" size="xs" onClick={() => setShown(shown + ROWS)}>
                {t.moreRows}
              </Button>
            )}
            <Button
              variant="default"
              size="xs"
              leftSection={<DownloadIcon size={16} />}
              onClick={save}
            >
              {t.csv}
            </Button>
          </Actions>
        </>
      )}
    </Section>
  );
}
