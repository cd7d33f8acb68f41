import type { ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { useAccount } from '../../session/session-context.ts';
import { isNoPermission } from '../../wire/failure.ts';
import { useOperation } from '../../wire/queries.ts';
import { Failed } from '../states.tsx';
import { texts } from '../texts/index.ts';

interface PlantFailedProps {
  readonly plantId: string;
  readonly error: unknown;
  readonly again: () => void;
}

/** A plant could not be loaded: those who could see it until somebody ended that are told so. */
export function PlantFailed({ plantId, error, again }: PlantFailedProps): ReactNode {
  const t = texts.useTexts().plant;
  const formats = useFormats();
  const { timeZone } = useAccount();
  const { data: ended } = useOperation(
    'plant/ended',
    { plantId },
    { enabled: isNoPermission(error) },
  );
  return (
    <Failed
      error={error}
      again={again}
      {...(ended && {
        title: t.ended(ended.plantName!, formats.dateTime(ended.endedAt, timeZone)),
        lead: t.endedLead,
      })}
    />
  );
}
