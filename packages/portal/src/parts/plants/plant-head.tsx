import type { WireData } from '@helioport/contract';
import type { ReactNode } from 'react';
import { Actions, Section } from '../../components/layout.tsx';
import { PageHeading } from '../../focus/page-heading.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { useSession } from '../../session/session-context.ts';
import { Badge } from '../badge.tsx';
import { Back } from '../navigation/back.tsx';
import styles from './plant-head.module.css';
import { stateWith } from './connection.ts';
import { mayInstall } from './may-install.ts';
import { PlantNav } from './plant-nav.tsx';
import { StateBadge } from '../state-badge.tsx';
import { texts } from '../texts/index.ts';
import { useNow } from '../use-now.ts';

interface PlantHeadProps {
  readonly plant: WireData<'plant/show'>;
  /** Which of its pages this is; undefined: that of the plant itself. */
  readonly page?: 'devices' | 'strategies' | 'settings';
  /** The title of a page that the navigation does not have. */
  readonly title?: string;
}

/** The head of every page of a plant: its name, its state, what time it is there, when it was heard of last, and its pages. */
export function PlantHead({ plant, page, title }: PlantHeadProps): ReactNode {
  const t = texts.useTexts().plant;
  const formats = useFormats();
  const name = title ?? (page && t[page]);
  const now = useNow();
  const account = useSession().session?.account;
  const zone = plant.zone.name;
  const reportedAt = plant.lastReportAt;
  return (
    <Section component="header" style={{ gap: '0.25rem' }}>
      <Back to="/">{t.all}</Back>
      <Actions>
        <PageHeading title={name === undefined ? plant.name : `${name} · ${plant.name}`}>
          <bdi>{plant.name}</bdi>
        </PageHeading>
        <StateBadge state={stateWith(plant.state, plant.connection)} />
        {plant.level === 'read' && <Badge kind="plain">{t.viewOnly}</Badge>}
      </Actions>
      <p className={styles.facts}>
        {plant.address && <bdi>{plant.address}</bdi>}
        <span>{t.localTime(formats.time(now, zone), formats.zone(zone, now))}</span>
        {reportedAt !== undefined && (
          <span title={formats.dateTime(reportedAt, zone)}>
            {t.lastReport(formats.ago(now - reportedAt))}
          </span>
        )}
      </p>
      <PlantNav
        plantId={plant.id}
        hasSettings={mayInstall(plant.level) || account?.role === 'installer'}
      />
    </Section>
  );
}
