import { useState } from 'react';
import { CallFailure } from '../../wire/failure.ts';
import { useQuestion } from '../../wire/queries.ts';
import { texts } from './texts/index.ts';

/** Settings of one request; more would take longer than people wait. */
const AT_ONCE = 20;

export interface SettingReading {
  /** The settings that are being read. */
  readonly under: ReadonlySet<string>;
  /** Why some could not be read. */
  readonly fault: string | undefined;
  read(parameters: readonly string[]): Promise<void>;
}

/** Reads settings from an inverter, some at a time; what was read then shows in the list. */
export function useReading(sn: string): SettingReading {
  const t = texts.useTexts();
  const { mutateAsync } = useQuestion('atReadBatch');
  const [under, setUnder] = useState<ReadonlySet<string>>(new Set());
  const [fault, setFault] = useState<string>();

  const read = async (parameters: readonly string[]): Promise<void> => {
    setFault(undefined);
    setUnder((others) => new Set([...others, ...parameters]));
    let silent = 0;
    try {
      for (let i = 0; i < parameters.length; i += AT_ONCE) {
        const items = (
          await mutateAsync({ inverterSn: sn, cids: parameters.slice(i, i + AT_ONCE) })
        ).flat();
        silent += items.filter(({ code }) => code !== undefined).length;
      }
      if (silent > 0) setFault(t.notAllRead(silent));
    } catch (error) {
      setFault(
        error instanceof CallFailure && error.is('deviceOffline') ? t.unreachable : t.notReadable,
      );
    } finally {
      setUnder((all) => new Set([...all].filter((one) => !parameters.includes(one))));
    }
  };
  return { under, fault, read };
}
