import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Empty } from '../../parts/states.tsx';
import { texts } from '../texts/index.ts';

export function NotFound(): ReactNode {
  const t = texts.useTexts();
  return (
    <Empty title={t.notFound} lead={t.notFoundLead}>
      <Button renderRoot={(props) => <Link to="/" {...props} />}>{t.toOverview}</Button>
    </Empty>
  );
}
