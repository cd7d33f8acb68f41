import { systemClock, timerPause } from '@helioport/collector';
import { collect } from '@helioport/collector/collect';
import { CommanderError } from 'commander';
import type { RegisterCommand } from '../context.ts';
import { stopSignal } from '../installation/stop-signal.ts';

export const registerCollect: RegisterCommand = (program, context) => {
  program
    .command('collect')
    .description('collect from devices on site; the same as the program helioport-collect')
    .argument('[args...]', 'see helioport collect --help')
    .allowUnknownOption()
    .helpOption(false)
    .action(async (args: string[]) => {
      const stop = new AbortController();
      void stopSignal().then((signal) => stop.abort(new Error(signal)));
      const code = await collect(context.json ? [...args, '--json'] : args, {
        folder: context.path('.'),
        write: (text) => context.print(context.json ? JSON.parse(text) : text, text),
        writeNote: (text) => context.note(text),
        clock: systemClock,
        pause: timerPause,
        random: Math.random,
        signal: stop.signal,
      });
      if (code === 2) throw new CommanderError(2, 'collect', '');
      if (code !== 0) context.fail();
    });
};
