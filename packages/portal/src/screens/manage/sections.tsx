import type { ReactNode } from 'react';
import styles from './sections.module.css';
import { texts } from './texts/index.ts';

const SECTIONS = [
  'details',
  'arrays',
  'tariffs',
  'people',
  'devices',
  'kept',
  'handOver',
  'archive',
] as const;

/** Links to the sections of a plant's settings, in their order. */
export function Sections(): ReactNode {
  const t = texts.useTexts();
  return (
    <nav className={styles.sections} aria-label={t.onThisPage}>
      {SECTIONS.map((section) => (
        <a key={section} href={`#${section}`}>
          {section === 'arrays' || section === 'kept' ? t[section].title : t[section]}
        </a>
      ))}
    </nav>
  );
}
