import type { WireData } from '@helioport/contract';
import type { ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { LeafIcon } from '../../parts/icons.tsx';
import styles from './current-figures.module.css';
import { texts } from './texts/index.ts';

/** What the plant is good for beyond money; nothing as long as it has produced nothing. */
export function AvoidedCo2({
  plant: { avoidedCo2Kg, treeYears },
}: {
  readonly plant: WireData<'plant/show'>;
}): ReactNode {
  const t = texts.useTexts().good;
  const formats = useFormats();
  if (!avoidedCo2Kg || treeYears === undefined) return null;
  const { value, unit } = formats.mass(avoidedCo2Kg);
  return (
    <p className={styles.good}>
      <LeafIcon size={18} />
      {t.avoided(`${value} ${unit}`, formats.number(treeYears, 0))}
    </p>
  );
}
