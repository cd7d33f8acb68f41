import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Card, Soft } from '../../components/layout.tsx';
import { texts } from './texts/index.ts';

/** The way out. What it means is said on a page of its own. */
export function CloseCard(): ReactNode {
  const t = texts.useTexts();
  return (
    <Card>
      <h2>{t.close}</h2>
      <Soft>{t.closeLead}</Soft>
      <Button component={Link} to="/account/close" variant="default">
        {t.closeLook}
      </Button>
    </Card>
  );
}
