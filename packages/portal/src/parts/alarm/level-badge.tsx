import type { AlarmLevel } from '@helioport/contract';
import type { ReactNode } from 'react';
import { Badge } from '../badge.tsx';
import { AlarmSign } from '../state-badge.tsx';
import { texts } from './texts/index.ts';

/** How bad an alarm is, in the colour and with the sign of a device or plant that has one. */
export function LevelBadge({
  level,
  isOver,
}: {
  readonly level: AlarmLevel;
  readonly isOver: boolean;
}): ReactNode {
  const { levels } = texts.useTexts();
  return (
    <Badge
      kind={isOver || level === 'tip' ? 'plain' : level === 'emergency' ? 'emergency' : 'fault'}
    >
      {level !== 'tip' && <AlarmSign />}
      {levels[level]}
    </Badge>
  );
}
