import type { ReactNode } from 'react';
import { Card, Section } from '../../../components/layout.tsx';
import type { Device } from '../device.ts';
import styles from '../device.module.css';
import { texts } from '../texts/index.ts';
import { Correction } from './correction.tsx';
import { Replacement } from './replacement.tsx';

/** What those who may install a plant do with one of its devices: name it, correct what is known about it, or put another one in its place. */
export function SetUp({ device }: { readonly device: Device }): ReactNode {
  const t = texts.useTexts().setUp;
  return (
    <Card aria-label={t.title}>
      <details className={styles.link}>
        <summary>
          <strong>{t.title}</strong>
        </summary>
        <Section component="div">
          <Correction key={device.sn} device={device} />
          <Replacement device={device} />
        </Section>
      </details>
    </Card>
  );
}
