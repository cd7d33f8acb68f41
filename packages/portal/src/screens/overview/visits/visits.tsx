import { lazy, Suspense, type ReactNode } from 'react';
import { useOperation } from '../../../wire/queries.ts';

const AT_MOST = 200;

// Few readers have any.
const VisitTable = lazy(() =>
  import('./visit-table.tsx').then((module) => ({ default: module.VisitTable })),
);

/** What visits to plants would bring; nothing if they would bring nothing. */
export function Visits(): ReactNode {
  const { data: visits = [] } = useOperation('performance/visits', { limit: AT_MOST });
  if (visits.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <VisitTable visits={visits} />
    </Suspense>
  );
}
