import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Actions, Facts, Section } from '../../components/layout.tsx';
import { PageHeading } from '../../focus/page-heading.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { Back } from '../../parts/navigation/back.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { useNow } from '../../parts/use-now.ts';
import type { Device } from './device.ts';
import { SignalBars } from './signal-bars.tsx';
import { texts } from './texts/index.ts';

interface HeadProps {
  readonly device: Device;
  /** The radio signal of the collector that reports for it. */
  readonly signalDbm: number | undefined;
  /** The plant's zone. */
  readonly zone: string;
}

/** What a device is, where it stands, and how it is. */
export function DeviceHead({ device, signalDbm, zone }: HeadProps): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const now = useNow();
  const { kind, plant, name, sn, model, state, lastReportAt: reportedAt } = device;
  const firmware = firmwareOf(device);
  const collector = kind === 'collector' ? undefined : device.collector;
  const reported =
    reportedAt === undefined
      ? t.never
      : `${formats.dateTime(reportedAt, zone)} (${formats.ago(now - reportedAt)})`;
  return (
    <Section component="header" style={{ gap: '0.25rem' }}>
      <Back to="/plants/$id" params={{ id: plant.id }}>
        <bdi>{plant.name}</bdi>
      </Back>
      <Actions>
        <PageHeading title={`${name ?? sn} · ${plant.name}`}>
          <bdi>{name ?? sn}</bdi>
        </PageHeading>
        <StateBadge state={state} />
        <span style={{ flexBasis: '100%', color: 'var(--hp-soft)' }}>
          {t.kinds[kind]}
          {model && (
            <>
              {' · '}
              <bdi>{model}</bdi>
            </>
          )}
        </span>
      </Actions>
      <Facts across>
        {/* Without a name, it is the title. */}
        {name !== undefined && (
          <Fact name={t.serialNumber}>
            <bdi>{sn}</bdi>
          </Fact>
        )}
        <Fact name={t.lastReport}>{reported}</Fact>
        {firmware.length > 0 && (
          <Fact name={t.firmware}>
            <bdi>{firmware.join(' · ')}</bdi>
          </Fact>
        )}
        {collector && (
          <Fact name={t.collector}>
            <Link
              to="/plants/$id/devices/$deviceId"
              params={{ id: plant.id, deviceId: collector.id }}
            >
              <bdi>{collector.name ?? collector.sn}</bdi>
            </Link>
          </Fact>
        )}
        {signalDbm !== undefined && (
          <Fact name={t.signal}>
            <SignalBars dbm={signalDbm} />
          </Fact>
        )}
      </Facts>
    </Section>
  );
}

function Fact({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The versions of everything in a device that has one. */
const firmwareOf = ({ facts }: { readonly facts: Versions }): readonly string[] =>
  [facts.firmwareVersion, facts.secondFirmwareVersion, facts.displayVersion].filter(
    (version) => version !== undefined,
  );

interface Versions {
  readonly firmwareVersion?: string;
  readonly secondFirmwareVersion?: string;
  readonly displayVersion?: string;
}
