import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { TabLinks } from '../../components/tabs.tsx';
import { texts } from '../texts/index.ts';

interface PlantNavProps {
  readonly plantId: string;
  /** Whether there is something for the reader among the settings: installers read there what concerns their work. */
  readonly hasSettings: boolean;
}

/** The pages of a plant. */
export function PlantNav({ plantId: id, hasSettings }: PlantNavProps): ReactNode {
  const t = texts.useTexts().plant;
  // What an address says after `?` is about the same page.
  const here = { exact: true, includeSearch: false };
  return (
    <TabLinks label={t.pages}>
      <Link to="/plants/$id" params={{ id }} activeOptions={here}>
        {t.overview}
      </Link>
      <Link to="/plants/$id/devices" params={{ id }} activeOptions={here}>
        {t.devices}
      </Link>
      <Link to="/plants/$id/strategies" params={{ id }} activeOptions={here}>
        {t.strategies}
      </Link>
      {hasSettings && (
        <Link to="/plants/$id/settings" params={{ id }} activeOptions={here}>
          {t.settings}
        </Link>
      )}
    </TabLinks>
  );
}
