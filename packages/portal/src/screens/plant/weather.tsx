import type { WireData } from '@helioport/contract';
import type { ReactNode } from 'react';
import { Card } from '../../components/layout.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { BigFigure } from '../../parts/big-figure.tsx';
import styles from './screen.module.css';
import { texts } from './texts/index.ts';

/** The weather that the plant's own station measures. */
export function Weather({ plant }: { readonly plant: WireData<'plant/show'> }): ReactNode {
  const t = texts.useTexts().weather;
  const formats = useFormats();
  const { values } = plant;
  const figures = [
    { label: t.temperature, value: values.ambientTemperatureC, unit: '°C', decimals: 1 },
    { label: t.humidity, value: values.humidityPercent, unit: '%', decimals: 0 },
    { label: t.wind, value: values.windSpeedMs, unit: 'm/s', decimals: 1 },
    { label: t.rain, value: values.rainfallMm, unit: 'mm', decimals: 1 },
    { label: t.pressure, value: values.airPressureHpa, unit: 'hPa', decimals: 0 },
  ].filter(({ value }) => value !== undefined);
  // Few plants have a station, and nobody misses one here.
  if (figures.length === 0) return null;
  return (
    <Card>
      <h2>{t.title}</h2>
      <dl className={styles.facts}>
        {figures.map(({ label, value, unit, decimals }) => (
          <BigFigure
            key={label}
            label={label}
            figure={{ value: formats.number(value, decimals), unit }}
          />
        ))}
      </dl>
    </Card>
  );
}
