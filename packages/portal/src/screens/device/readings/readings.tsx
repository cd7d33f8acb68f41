import type { ReactNode } from 'react';
import { Card, Cards, Facts, Hint, Note, Numbers } from '../../../components/layout.tsx';
import { useFormats } from '../../../i18n/formats.ts';
import { beganWithin, localDay } from '../../../i18n/plant-time.ts';
import { useConnectionWords, type Connected } from '../../../parts/plants/connection.ts';
import { Empty } from '../../../parts/states.tsx';
import { texts as shared } from '../../../parts/texts/index.ts';
import { serverNow } from '../../../wire/server-clock.ts';
import type { Device } from '../device.ts';
import { texts } from '../texts/index.ts';
import { readingText } from './figure.ts';
import { readingGroups, type ShownReading } from './groups.ts';
import { phasesOf, stringsOf, type Numbered } from './numbered.ts';
import { Strings } from './strings.tsx';

interface ReadingsProps {
  readonly device: Device;
  readonly zone: string;
  /** How its plant is connected. */
  readonly connected: Connected;
}

/** The latest readings of a device, in groups. */
export function Readings({ device, zone, connected }: ReadingsProps): ReactNode {
  const { id, state, lastReportAt: reportedAt } = device;
  const t = texts.useTexts();
  const { since } = shared.useTexts();
  const formats = useFormats();
  const words = useConnectionWords()(connected);
  if (reportedAt === undefined) return <Empty title={t.noReadings} lead={t.noReadingsLead} />;
  // Its readings are as old as those of a plant none of whose devices reports, whatever its state.
  const isOld = state === 'offline' || (words !== undefined && device.kind !== 'collector');
  const values = device.kind === 'collector' ? {} : device.values;
  const inputs = device.kind === 'inverter' ? device.facts.dcInputs : undefined;
  const strings = device.kind === 'inverter' ? stringsOf(values, inputs) : [];
  const phases = phasesOf(values);
  const today = localDay(serverNow(), zone);
  return (
    <>
      {isOld && (
        <Hint>
          {words?.what} {t.oldReadings(formats.dateTime(reportedAt, zone))} {words?.advice}
        </Hint>
      )}
      <Cards data-old={isOld || undefined}>
        {strings.length > 0 && <Strings id={id} inputs={inputs} strings={strings} zone={zone} />}
        {readingGroups(device).map(({ name, readings }) => (
          <Card key={name}>
            <h2>{t.groups[name]}</h2>
            <Facts rows>
              {readings.map((reading) => {
                const firstDay = firstDayWithin(device, reading, today, zone);
                return (
                  <div key={reading.name}>
                    <dt>
                      {t.readings[reading.name]}
                      {firstDay !== undefined && (
                        <Note component="small">{since(formats.shortDay(firstDay))}</Note>
                      )}
                    </dt>
                    <dd
                      data-reading={reading.name}
                      data-figure={typeof reading.value === 'number' || undefined}
                    >
                      <bdi>{readingText(formats, reading.value, reading.unit)}</bdi>
                    </dd>
                  </div>
                );
              })}
            </Facts>
          </Card>
        ))}
        {phases.length > 0 && <Phases phases={phases} />}
      </Cards>
    </>
  );
}

/** How much of a day `2026-11-06` names the period of a figure. */
const PERIODS: Partial<Record<ShownReading['name'], number>> = {
  producedMonth: 7,
  producedYear: 4,
};

/** The first day of a device’s record, if that lacks the beginning of the month or year that a figure is of. */
function firstDayWithin(
  device: Device,
  { name }: ShownReading,
  today: string,
  zone: string,
): string | undefined {
  const length = PERIODS[name];
  const firstAt = device.kind === 'inverter' ? device.firstReportAt : undefined;
  const day = firstAt === undefined ? undefined : localDay(firstAt, zone);
  return length !== undefined && day !== undefined && beganWithin(day, today.slice(0, length))
    ? day
    : undefined;
}

function Phases({ phases }: { readonly phases: readonly Numbered[] }): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  return (
    <Card>
      <h2>{t.phases}</h2>
      <Numbers>
        <thead>
          <tr>
            <th scope="col">{t.phases}</th>
            <th scope="col">{t.voltage}</th>
            <th scope="col">{t.current}</th>
            <th scope="col">{t.power}</th>
          </tr>
        </thead>
        <tbody>
          {phases.map(({ number, voltageV, currentA, powerW }) => (
            <tr key={number}>
              <th scope="row">{t.phase(number)}</th>
              <td>{readingText(formats, voltageV, 'V')}</td>
              <td>{readingText(formats, currentA, 'A')}</td>
              <td>{readingText(formats, powerW, 'W')}</td>
            </tr>
          ))}
        </tbody>
      </Numbers>
    </Card>
  );
}
