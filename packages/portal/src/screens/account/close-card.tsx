import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import styles from './screen.module.css';
import { texts } from './texts/index.ts';

/** The way out. What it means is said on a page of its own. */
export function CloseCard(): ReactNode {
  const t = texts.useTexts();
  return (
    <section className={styles.card}>
      <h2>{t.close}</h2>
      <p className={styles.note}>{t.closeLead}</p>
      <Button component={Link} to="/account/close" variant="default">
        {t.closeLook}
      </Button>
    </section>
  );
}
