import type { ReactNode } from 'react';
import cards from '../../../parts/cards.module.css';
import type { Device } from '../device.ts';
import styles from '../device.module.css';
import { texts } from '../texts/index.ts';
import { Correction } from './correction.tsx';
import { Replacement } from './replacement.tsx';

/** What those who may install a plant do with one of its devices: name it, correct what is known about it, or put another one in its place. */
export function SetUp({ device }: { readonly device: Device }): ReactNode {
  const t = texts.useTexts().setUp;
  return (
    <section className={cards.card} aria-label={t.title}>
      <details className={styles.link}>
        <summary>
          <strong>{t.title}</strong>
        </summary>
        <div className={styles.linkBody}>
          <Correction key={device.sn} device={device} />
          <Replacement device={device} />
        </div>
      </details>
    </section>
  );
}
