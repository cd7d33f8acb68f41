import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { List } from '../../../components/layout.tsx';
import type { Setting } from '../../../parts/settings/setting-texts.ts';
import { texts } from '../texts/index.ts';

/** How settings are shown and read. */
export interface SettingListProps {
  readonly settings: readonly Setting[];
  readonly row: (setting: Setting) => ReactNode;
  /** Without it, the reader may not read. */
  readonly read: ((settings: readonly Setting[]) => void) | undefined;
  readonly isReading: boolean;
}

/** The few settings that owners change. */
export function EverydaySettings({ settings, row, read, isReading }: SettingListProps): ReactNode {
  const t = texts.useTexts();
  return (
    <>
      <List boxed>{settings.map(row)}</List>
      {read && (
        <Button variant="default" size="xs" loading={isReading} onClick={() => read(settings)}>
          {t.readAgain}
        </Button>
      )}
    </>
  );
}
