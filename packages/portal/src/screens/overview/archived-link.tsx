import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import styles from './screen.module.css';
import { texts } from './texts/index.ts';

/** The way to the plants that were put aside, if there are any. */
export function ArchivedLink({
  archived = 0,
}: {
  readonly archived: number | undefined;
}): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  if (archived === 0) return null;
  return (
    <Link to="/plants/archived" className={styles.archived}>
      {t.archived(formats.number(archived, 0))}
    </Link>
  );
}
