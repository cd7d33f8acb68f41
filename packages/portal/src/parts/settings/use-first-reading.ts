import { useEffect, useRef } from 'react';
import { serverNow } from '../../wire/server-clock.ts';
import type { Setting } from './setting-texts.ts';
import type { SettingReading } from './use-reading.ts';

const FRESH_MS = 60_000;

/** Has settings read once, as soon as they are known: those that were not read just now. Without them, nothing is read. */
export function useFirstReading(
  { read }: SettingReading,
  settings: readonly Setting[] | undefined,
): void {
  const hasRead = useRef(false);
  useEffect(() => {
    if (hasRead.current || !settings) return;
    hasRead.current = true;
    const old = settings.filter(({ readAt = 0 }) => serverNow() - readAt > FRESH_MS);
    if (old.length > 0) void read(old.map(({ parameter }) => parameter!));
  });
}
