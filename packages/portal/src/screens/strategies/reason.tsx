import type { ReactNode } from 'react';
import { settingName, settingTexts } from '../../parts/settings/setting-texts.ts';
import { texts } from './texts/index.ts';

/** Why a strategy is paused, as the server says it. */
const BY_HAND = /^parameter (\d+) was written by hand$/;
const BY_OWNER = 'the owner of the plant stopped it';

/** Why a strategy is paused or has ended, in the words of the reader as far as they are known. */
export function Reason({
  reason,
  isOwner,
}: {
  readonly reason: string;
  readonly isOwner: boolean;
}): ReactNode {
  const t = texts.useTexts();
  const settings = settingTexts.useTexts();
  const [, parameter] = BY_HAND.exec(reason) ?? [];
  if (parameter !== undefined) return t.byHand(settingName(settings, parameter, ''));
  if (reason === BY_OWNER) return isOwner ? t.youStopped : t.ownerStopped;
  return t.reasons[reason] ?? <bdi lang="en">{reason}</bdi>;
}
