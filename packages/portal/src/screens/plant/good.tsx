import type { WireData } from '@helioport/contract';
import type { ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { BigFigure } from '../../parts/big-figure.tsx';
import { inKwh } from '../../wire/amounts.ts';
import styles from './screen.module.css';
import { texts } from './texts/index.ts';

/** What the plant is good for beyond money. */
export function Good({ plant }: { readonly plant: WireData<'stationDetail'> }): ReactNode {
  const t = texts.useTexts().good;
  const formats = useFormats();
  const tonnes = plant.powerStationAvoidedCo2;
  return (
    <section className={styles.card}>
      <h2>{t.title}</h2>
      <dl className={styles.facts}>
        <BigFigure label={t.co2} figure={formats.mass(tonnes === undefined ? undefined : tonnes * 1000)} />
        <BigFigure label={t.trees} figure={{ value: formats.number(plant.powerStationNumTree, 0), unit: '' }} />
        {plant.oneSelf !== undefined && <BigFigure label={t.selfUse} figure={formats.energy(inKwh(plant.oneSelf, 'kWh'))} />}
      </dl>
      <p className={styles.note}>{t.note}</p>
    </section>
  );
}
